// Tables write numbers as sentences do, whatever the language of the browser: narrow blanks between thousands, a point.
{
  const Format = Intl.NumberFormat;
  // Streamlit's tables hand over the languages of the browser; fields that people type into do not.
  const ours = (locales) => Array.isArray(locales) && locales === navigator.languages;
  const construct = (target, [locales, options]) => {
    if (!ours(locales)) return new target(locales, options);
    const format = new target("en", options);
    return { format: (value) => format.format(value).replaceAll(",", "\u202f").replace("-", "\u2212") };
  };
  if (!window.writesNumbers) Intl.NumberFormat = new Proxy(Format, { construct });
  window.writesNumbers = true;
}
