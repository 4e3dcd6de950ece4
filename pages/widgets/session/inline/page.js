// What every page does in the browser, set up once in a visit.
if (!window.evalcorePage) {
  window.evalcorePage = true;
  // On a phone the side bar lies over the page, and Streamlit leaves it there after one of our links.
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(".st-key-menu a") && window.innerWidth < 768)
      document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  }, true);
  // The menu shows where one is when a page comes, and after that stays where the reader has scrolled it.
  {
    let path;
    const show = () => {
      if (path === location.pathname) return;
      const [, ...links] = document.querySelectorAll(".st-key-menu a"); // Home is at its top
      links.find(({ pathname }) => pathname === location.pathname)?.scrollIntoView({ block: "nearest" });
      if (links.length) path = location.pathname;
    };
    new MutationObserver(show).observe(document.body, { childList: true, subtree: true });
  }
  // Where a finger or the pointer came down, from the top of the page.
  document.addEventListener("pointerdown", ({ clientY }) => {
    window.evalcoreTouched = clientY + (document.querySelector(".stMain")?.scrollTop ?? 0);
  }, true);
  // Tables write numbers as sentences do, whatever the language of the browser: narrow blanks between thousands, a point.
  {
    // Streamlit's tables hand over the languages of the browser; fields that people type into do not.
    const ours = (locales) => Array.isArray(locales) && locales === navigator.languages;
    const construct = (target, [locales, options]) => {
      if (!ours(locales)) return new target(locales, options);
      const format = new target("en", options);
      return { format: (value) => format.format(value).replaceAll(",", "\u202f").replace("-", "\u2212") };
    };
    Intl.NumberFormat = new Proxy(Intl.NumberFormat, { construct });
  }
  // Keeps the focus where the reader was: where a run took the focused control away or switched it off, the control that
  // came in its place has the focus, without scrolling, else another one near it until that one comes.
  {
    let last = null;
    let standIn = null;
    const controls = "button, input, textarea, a[href], [tabindex='0']";
    const isGone = () => !last.node.isConnected || last.node.disabled;
    const kind = (node) => `${node.tagName} ${node.type} ${node.textContent}`;
    // Keys of Streamlit around a control, the nearest first; a number at the end counts what is new or one of a list.
    const keys = (node) => {
      const names = [];
      for (let box = node; box; box = box.parentElement) names.push(...[...box.classList].filter((name) => name.startsWith("st-key-")));
      return names.map((name) => name.replace(/-\d+$/, ""));
    };
    const inItsPlace = () => {
      for (const name of last.keys) {
        const boxes = [...document.querySelectorAll(`.${name}, [class*="${name}-"]`)];
        const free = boxes.flatMap((box) => [...box.querySelectorAll(controls)]).filter((node) => !node.disabled && node.tabIndex >= 0);
        if (free.length) return free.find((node) => kind(node) === last.kind) ?? free[0];
      }
    };
    const isNowhere = () => document.activeElement === document.body;
    const remember = (node) => {
      last = { node, kind: kind(node), keys: keys(node) };
      standIn = null;
    };
    // What is left over of the run before goes after this one has ended, on a busy machine late, and what comes new comes
    // piece by piece: so each change of the page asks.
    const keep = () => {
      if (!last || !(isNowhere() || document.activeElement === standIn) || !isGone()) return;
      const next = inItsPlace();
      if (!next || next === standIn) return;
      standIn = kind(next) === last.kind ? null : next;
      next.focus({ preventScroll: true });
    };
    document.addEventListener("focusin", ({ target }) => {
      if (target !== standIn) remember(target);
    });
    // Who leaves a control that stays, or goes on from one that stands in, wants no other focus.
    document.addEventListener("focusout", ({ target }) => setTimeout(() => {
      if (last?.node === target && !isGone() && isNowhere()) last = null;
    }));
    for (const event of ["keydown", "pointerdown"]) {
      document.addEventListener(event, () => {
        if (standIn) remember(standIn);
        else if (event === "pointerdown" && last && isNowhere()) last = null;
      }, true);
    }
    const observer = new MutationObserver(keep);
    window.evalcoreKeepFocus = () => observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  }
  // A chart that changes is mounted anew and would show all of itself again. Where someone has zoomed in, the new one of
  // the same key shows the same part, if its axes and its revision are the same. Plotly cannot be called from here, but
  // its button that resets the axes goes where the axes began: for that click they began at the zoom.
  {
    const zooms = (window.evalcoreZooms = new Map());
    const axesOf = (plot) => Object.entries(plot._fullLayout).filter(([name]) => /^[xy]axis\d*$/.test(name));
    const nameOf = (plot) => {
      const key = [...(plot.closest("[class*=st-key-]")?.classList ?? [])].find((name) => name.startsWith("st-key-"));
      const axes = axesOf(plot).map(([, axis]) => `${axis.type} ${axis.title?.text}`);
      return [key, location.pathname, new URLSearchParams(location.search).get("data"), plot.layout.uirevision, ...axes].join();
    };
    const isZoomed = ([, axis]) => !axis.autorange && !axis.fixedrange && [0, 1].some((end) => axis.range[end] !== axis[`_rangeInitial${end}`]);
    const remember = (plot) => {
      const zoomed = axesOf(plot).filter(isZoomed).map(([name, axis]) => [name, [...axis.range]]);
      if (zoomed.length) zooms.set(nameOf(plot), zoomed);
      else zooms.delete(nameOf(plot));
    };
    const buttonOf = (plot) => plot.querySelector(".modebar-btn[data-attr=zoom][data-val=reset]");
    const zoomAgain = (plot) => {
      const zoomed = zooms.get(nameOf(plot));
      if (!zoomed || !buttonOf(plot) || axesOf(plot).some(isZoomed)) return;
      const begin = (ranges) => ranges.map(([name, range]) => {
        const axis = plot._fullLayout[name];
        const before = [axis._rangeInitial0, axis._rangeInitial1];
        [axis._rangeInitial0, axis._rangeInitial1] = range;
        return [name, before];
      });
      const before = begin(zoomed);
      buttonOf(plot).click();
      begin(before);
    };
    const known = new WeakSet();
    const find = () => {
      for (const plot of document.querySelectorAll(".js-plotly-plot")) {
        if (known.has(plot) || !plot.on || !plot._fullLayout?.xaxis?.range) continue;
        // The buttons may come after the axes; until then nothing is remembered of this chart, whose zoom is still to come.
        if (zooms.has(nameOf(plot)) && !buttonOf(plot)) continue;
        known.add(plot);
        zoomAgain(plot);
        plot.on("plotly_relayout", (changed) => {
          if (Object.keys(changed).some((name) => /axis\d*\.(auto)?range/.test(name))) remember(plot);
        });
        // A chart whose width comes late is drawn once more, from where its axes began.
        plot.on("plotly_react", () => zoomAgain(plot));
        // Where a drag selects a rectangle, Streamlit hears no clicks, and a finger has no other way to a point.
        plot.on("plotly_click", ({ points }) => {
          const { dragmode, clickmode } = plot._fullLayout;
          if (dragmode !== "select" || clickmode !== "event" || !matchMedia("(pointer: coarse)").matches) return;
          plot.emit("plotly_selected", { points: points.map(({ curveNumber, pointIndex, x, y }) => ({ curveNumber, pointIndex, x, y })) });
        });
      }
    };
    new MutationObserver(find).observe(document.body, { childList: true, subtree: true });
  }
  // On a chart a finger scrolls the page and a tap is a click; a finger that rests before it moves drags as a mouse does.
  {
    const [HELD, STILL] = [450, 8]; // milliseconds, pixels
    let timer, held;
    document.addEventListener("touchstart", (event) => {
      clearTimeout(timer);
      const { target, isTrusted, touches: [from, second] } = event;
      if (!isTrusted || !target.closest?.(".js-plotly-plot .draglayer")) return;
      event.stopPropagation();
      held = false;
      if (second) return;
      timer = setTimeout(() => {
        held = true;
        const own = { touches: [from], targetTouches: [from], changedTouches: [from] };
        target.dispatchEvent(new TouchEvent("touchstart", { bubbles: true, cancelable: true, ...own }));
      }, HELD);
      const move = (moved) => {
        const [{ clientX, clientY }] = moved.touches;
        if (held) moved.preventDefault();
        else if (Math.hypot(clientX - from.clientX, clientY - from.clientY) > STILL) clearTimeout(timer);
      };
      const end = () => {
        clearTimeout(timer);
        target.removeEventListener("touchmove", move);
      };
      target.addEventListener("touchmove", move, { passive: false });
      for (const kind of ["touchend", "touchcancel"]) target.addEventListener(kind, end, { once: true });
    }, true);
  }
  // Puts the link of the page, or a table, on the clipboard: a rich one as HTML with plain text of its cells beside it,
  // else the text of the format.
  // A server under a plain http address has no asynchronous clipboard, so there the command of old is used.
  {
    const cells = (row) => [...row.cells].map((cell) => cell.textContent).join("\t");
    const content = (button) => {
      const { copy, format } = button.dataset;
      if (format !== "HTML") return { "text/plain": copy };
      const table = new DOMParser().parseFromString(copy, "text/html").querySelector("table");
      return { "text/html": copy, "text/plain": [...table.rows].map(cells).join("\n") };
    };
    const byCommand = (types) => {
      const fill = (event) => {
        for (const [type, text] of Object.entries(types)) event.clipboardData.setData(type, text);
        event.preventDefault();
        event.stopPropagation();
      };
      document.addEventListener("copy", fill, { capture: true, once: true });
      const done = document.execCommand("copy");
      document.removeEventListener("copy", fill, true);
      return done;
    };
    const copy = async (types) => {
      if (!navigator.clipboard?.write || !window.ClipboardItem) return byCommand(types);
      const parts = Object.entries(types).map(([type, text]) => [type, new Blob([text], { type })]);
      return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(parts))]).then(() => true, () => byCommand(types));
    };
    const say = (control, words) => {
      control.dataset.words ??= control.textContent;
      control.setAttribute("aria-live", "polite");
      control.textContent = words;
      clearTimeout(control.timer);
      control.timer = setTimeout(() => (control.textContent = control.dataset.words), 2500);
    };
    // A card goes to the clipboard as a picture, else into a file of it.
    const drawn = (image) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
      canvas.getContext("2d").drawImage(image, 0, 0);
      return new Promise((done) => canvas.toBlob(done));
    };
    const take = async (button) => {
      const image = button.closest(".card").querySelector("img");
      const blob = drawn(image);
      if (button.dataset.card === "copy" && navigator.clipboard?.write && window.ClipboardItem) {
        const copied = await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]).then(() => true, () => false);
        if (copied) return say(button, "Copied");
      }
      const { file } = document.querySelector("[data-picture]").dataset, href = URL.createObjectURL(await blob);
      Object.assign(document.createElement("a"), { href, download: `${file} card.png`.trim() }).click();
      setTimeout(() => URL.revokeObjectURL(href), 10_000);
      say(button, "Saved");
    };
    const close = (except) => {
      for (const menu of document.querySelectorAll(".copy-table[open]")) if (menu !== except) menu.open = false;
    };
    document.addEventListener("click", async ({ target }) => {
      const link = target.closest?.("button.copy-link");
      if (link) say(link, (await copy({ "text/plain": location.href })) ? "Copied" : location.href);
      const card = target.closest?.("button[data-card]");
      if (card) take(card);
      const button = target.closest?.(".copy-table button");
      close(target.closest?.(".copy-table"));
      if (!button) return;
      const summary = button.closest(".copy-table").querySelector("summary");
      const words = (await copy(content(button))) ? "Copied" : "The browser did not allow it";
      close();
      summary.focus({ preventScroll: true });
      say(summary, words);
    });
    document.addEventListener("keydown", ({ key, target }) => {
      const menu = key === "Escape" && target.closest?.(".copy-table[open]");
      if (!menu) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }
  // A chart that is saved has a title: what it shows, as its name for screen readers says, and below it the data set, the
  // system and the threshold, from the mark of a complete run. On the page the heading and the side bar say that, so the
  // title is in the layout only while Plotly copies it for the file, which it does at once when its button is pressed.
  {
    const SIZE = 14;
    const SMALL = 12;
    const EDGE = 14;
    const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    // Streamlit takes out a script in which something looks like a tag.
    const BREAK = "\x3cbr>";
    const tagged = (tag, text, style = "") => `\x3c${tag}${style}>${escaped(text)}\x3c/${tag}>`;
    const ruler = document.createElement("canvas").getContext("2d");
    const wrapped = (text, size, family, width) => {
      ruler.font = `600 ${size}px ${family}`;
      const lines = [""];
      for (const word of text.split(" ")) {
        const longer = `${lines.at(-1)} ${word}`.trim();
        if (!lines.at(-1) || ruler.measureText(longer).width <= width) lines[lines.length - 1] = longer;
        else lines.push(word);
      }
      return lines.filter(Boolean);
    };
    document.addEventListener("click", ({ target }) => {
      const button = target.closest?.(".modebar-btn[data-title^='Download plot']");
      const plot = button?.closest(".js-plotly-plot");
      const context = document.querySelector("[data-picture]")?.dataset.context ?? "";
      if (!plot?.layout) return;
      const options = plot._context.toImageButtonOptions;
      const { width, height, font } = plot._fullLayout;
      const shows = plot.closest("[aria-label]").getAttribute("aria-label");
      const lines = wrapped(shows, SIZE, font.family, width - 2 * EDGE);
      const below = wrapped(context, SMALL, font.family, width - 2 * EDGE);
      const room = Math.ceil(1.3 * (SIZE * lines.length + SMALL * below.length)) + EDGE;
      const { title, margin } = plot.layout;
      plot.layout.title = {
        text: [...lines.map((line) => tagged("b", line)), ...below.map((line) => tagged("span", line, ` style="font-size:${SMALL}px"`))].join(BREAK),
        font: { size: SIZE },
        pad: { l: EDGE, t: EDGE },
        x: 0,
        xref: "container",
        xanchor: "left",
        y: 1,
        yref: "container",
        yanchor: "top",
      };
      plot.layout.margin = { ...margin, t: (margin?.t ?? plot._fullLayout.margin.t) + room };
      Object.assign(options, { width, height: height + room });
      setTimeout(() => {
        Object.assign(plot.layout, { title, margin });
        delete options.width;
        delete options.height;
      });
    }, true);
  }
  // A click on a term opens its definition beside it. The link leads to its entry where a key is held, by the middle
  // button, and by "More" in the definition.
  if (HTMLElement.prototype.showPopover) {
    const card = document.createElement("div");
    Object.assign(card, { className: "definition", popover: "auto", role: "dialog" });
    card.addEventListener("toggle", ({ newState }) => newState === "closed" && card.remove());
    const line = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });
    const entryOf = (link) => {
      if (link?.getAttribute("target") !== "_blank" || card.contains(link)) return;
      const { pathname, searchParams } = new URL(link.getAttribute("href"), location);
      const lines = document.querySelector("[data-definitions]")?.dataset.definitions.split("\n") ?? [];
      return pathname.endsWith("/measures") && lines.find((line) => line.startsWith(`${searchParams.get("measure")}\t`));
    };
    let anchor, anchored;
    const show = (link, entry) => {
      const [, title, ...texts] = entry.split("\t");
      const more = Object.assign(line("a", "More"), { href: link.getAttribute("href"), target: "_blank", autofocus: true });
      card.replaceChildren(line("b", title), ...texts.filter(Boolean).map((text) => line("p", text)), more);
      card.setAttribute("aria-label", title);
      document.querySelector(".stApp").append(card);
      card.showPopover();
      const { left, top, bottom } = link.getBoundingClientRect();
      [anchor, anchored] = [link, top];
      const { width, height } = card.getBoundingClientRect();
      card.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
      card.style.top = `${bottom + height + 8 < innerHeight ? bottom + 6 : Math.max(8, top - height - 6)}px`;
    };
    document.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const link = event.composedPath().find((node) => node.tagName?.toLowerCase() === "a");
      const entry = entryOf(link);
      if (!entry) return;
      event.preventDefault();
      event.stopPropagation();
      show(link, entry);
    }, true);
    document.addEventListener("scroll", () => anchor?.getBoundingClientRect().top !== anchored && card.hidePopover(), true);
  }
  // On the start page a file can be dropped anywhere, not on the field for it alone, which takes it as if chosen there.
  {
    const field = () => document.querySelector("[class*=st-key-upload-home] input[type=file]");
    const over = (isOver) => document.documentElement.classList.toggle("file-over", isOver);
    const hear = (event) => {
      const input = field();
      if (!input || input.disabled || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      over(event.type === "dragover");
      if (event.type !== "drop" || event.target.closest?.("[data-testid=stFileUploaderDropzone]")) return;
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    };
    document.addEventListener("dragover", hear);
    document.addEventListener("drop", hear);
    document.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || over(false));
  }
  // A number in a table opens the rows behind it: the address names them, and the visit goes on.
  {
    const linkOf = ({ target }) => target.closest?.("a.rows");
    const aim = (event) => {
      const link = linkOf(event);
      if (!link) return;
      const address = new URL(location.href);
      address.searchParams.set("selected", new URLSearchParams(link.getAttribute("href").split("?")[1]).get("selected"));
      link.href = address;
    };
    for (const kind of ["pointerdown", "focusin"]) document.addEventListener(kind, aim);
    document.addEventListener("click", (event) => {
      if (!linkOf(event) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      aim(event);
      history.pushState({}, "", linkOf(event).href);
      window.dispatchEvent(new PopStateEvent("popstate"));
    });
  }
}
