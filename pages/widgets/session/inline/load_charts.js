// The address of a part is what Streamlit would ask for, so that the browser loads it once.
{
  const parts = document.currentScript.parentElement.querySelector("[data-parts]").dataset.parts.split(" ");
  const entry = document.querySelector('script[type=module][src*="static/js/index."]');
  const load = async () => {
    for (const part of parts) await import(new URL(part, entry.src)).catch(() => {});
  };
  const whenIdle = window.requestIdleCallback ?? ((task) => setTimeout(task, 100)); // Safari has none
  if (entry) whenIdle(load, { timeout: 300 });
}
