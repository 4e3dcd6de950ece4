// Plays a lesson in its own document: steps that ask before they show, numbers of one's own, what-ifs and the receipt.
const main = document.querySelector("main")
if (globalThis.DecompressionStream) {
  const stream = new Blob([bytesOf(document.getElementById("steps").textContent)]).stream()
  new Response(stream.pipeThrough(new DecompressionStream("deflate-raw"))).json().then(play)
} else main.textContent = "This browser is too old for this lesson. Use one of 2023 or later."

// In a frame of a course page nothing may be kept, and an address may not be written; the lesson plays all the same.
const tried = (job, otherwise) => { try { return job() } catch { return otherwise } }

const markup = (tag, html, attributes = {}) => {
  const node = element(tag, attributes)
  node.innerHTML = html // of Python, which has escaped every name in it
  return node
}

function play(lesson) {
  const key = `evalcore lesson ${lesson.digest}`
  // Who goes on, and the answers of everybody who began here.
  const { name = "", people = {} } = tried(() => JSON.parse(localStorage.getItem(key))) ?? {}
  const view = { lesson, people, built: new Map() }
  view.keep = () => tried(() => localStorage.setItem(key, JSON.stringify({ name: view.name, people })))
  enter(view, name)
  const go = index => {
    view.index = clamp(index, 0, view.steps.length)
    draw(view)
    scrollTo(0, 0)
    main.focus({ preventScroll: true })
  }
  view.go = index => {
    tried(() => history.pushState(null, "", `#${index + 1}`))
    go(index)
  }
  view.present = button("Present", () => present(view), { "aria-pressed": "false", title: "Large type; → shows the answer, then goes on; Esc ends" })
  document.querySelector("header").append(view.present)
  view.nav = element("nav", { "aria-label": "Steps" })
  main.before(view.nav)
  main.tabIndex = -1
  const fromAddress = () => go((Number.parseInt(location.hash.slice(1), 10) || 1) - 1)
  window.addEventListener("popstate", fromAddress)
  document.addEventListener("keydown", event => lead(view, event), true)
  window.addEventListener("beforeprint", () => main.replaceChildren(...view.steps.map((_, index) => drawStep(view, index))))
  window.addEventListener("afterprint", () => draw(view))
  fromAddress()
}

// The steps with the numbers of a seed, in one row; `number` counts the questions.
function stepsOf({ lesson, seed }) {
  let number = 0
  return lesson.parts.flatMap(({ which, asked, shown }, part) => {
    const variant = which[which.length > 1 ? partSeed(seed, part, lesson.variants) : 0]
    return asked[variant].map((step, place) => ({ ...step, ...shown[place], number: step.question ? number++ : null }))
  })
}

const questionsOf = view => view.steps.map(step => step.question).filter(Boolean)

// The numbers of a name and what was answered under it; without a name, those that everybody sees.
function enter(view, name) {
  const seed = name ? seedOf(name, view.lesson.digest) : 0
  Object.assign(view, { name, seed }, view.people[seed] ??= { answers: {}, last: {} })
  view.steps = stepsOf(view)
  view.built.clear()
}

function begin(view, typed) {
  enter(view, [...tidy(typed)].slice(0, 80).join(""))
  view.keep()
  view.go(0)
}

function present(view, on = !document.body.classList.contains("present")) {
  document.body.classList.toggle("present", on)
  view.present.setAttribute("aria-pressed", String(on))
}

// The keys of a clicker, while the lesson is presented; arrows move what has the focus, where they can.
function lead(view, event) {
  const { key } = event
  const isMoving = key.startsWith("Arrow") && event.composedPath()[0].matches?.("input, select, [role=slider]")
  if (!document.body.classList.contains("present") || isMoving || event.altKey || event.ctrlKey || event.metaKey) return
  if (key === "Escape") return present(view, false)
  const step = view.steps[view.index]
  if (key === "ArrowLeft" || key === "PageUp") view.go(view.index - 1)
  else if (key !== "ArrowRight" && key !== "PageDown") return
  else if (step?.question && !isDone(view, step)) step.solve()
  else view.go(view.index + 1)
  event.preventDefault()
  event.stopPropagation()
}

const isOther = ({ rule, solution }, value) => rule && String(value) !== String(solution)
const isDone = ({ last }, { number }) => Boolean(last[number]?.right || last[number]?.shown)
const isScored = ({ answers }, { question, number }) => question && (answers[number] ?? null) !== null && isRight(question, answers[number])

function drawNav(view) {
  const { steps, index } = view
  view.nav.hidden = steps.length < 2 && !questionsOf(view).length
  view.nav.replaceChildren(...[...steps, null].map((step, place) => {
    const done = step && isScored(view, step) ? "✓" : ""
    const words = step ? `Step ${place + 1}: ${markup("p", step.title).textContent}` : "End"
    const link = element("a", { href: `#${place + 1}`, title: words, "aria-label": `${words}${done && ", right at the first answer"}` }, step ? `${done}${place + 1}` : "End")
    if (place === index) link.setAttribute("aria-current", "step")
    link.addEventListener("click", event => {
      event.preventDefault()
      view.go(place)
    })
    return link
  }))
}

function draw(view) {
  const { steps, index } = view
  drawNav(view)
  main.replaceChildren(index < steps.length ? drawStep(view, index) : drawEnd(view))
}

function drawStep(view, index) {
  const { steps } = view
  const step = steps[index]
  const article = element("article", {})
  if (steps.length > 1) article.append(element("p", { class: "grey small" }, `Step ${index + 1} of ${steps.length}`))
  article.append(markup("h1", step.title))
  const asks = questionsOf(view).length > 0
  if (!index && !view.seed && asks) article.append(drawNameForm(view))
  article.append(markup("div", step.text))
  const whatIf = step.whatIf ? [drawWhatIf(view, index)] : []
  if (step.first) article.append(...whatIf, markup("div", step.picture ?? ""))
  const after = element("div", { class: "after" })
  const reveal = () => {
    if (step.picture && !step.first) after.append(markup("div", step.picture))
    const rest = step.first ? [] : whatIf
    const isWide = rest.some(node => node.matches("details"))
    after.append(...(isWide ? [] : rest), markup("div", step.after ?? ""), ...(isWide ? rest : []))
  }
  if (step.question) article.append(drawQuestion(view, step, reveal))
  else reveal()
  const back = button("Back", () => view.go(index - 1), index ? {} : { disabled: "" })
  const next = button(index + 1 < steps.length ? "Next" : "Finish", () => view.go(index + 1), { class: "main" })
  article.append(after)
  if (asks || steps.length > 1) article.append(element("div", { class: "way" }, back, next))
  return article
}

function drawNameForm(view) {
  const own = view.lesson.parts.some(({ which }) => which.length > 1)
  const words = `Your name ${own ? "gives you numbers of your own and " : ""}stands on your receipt. It stays in this browser.`
  const field = element("input", { type: "text", maxlength: 80, autocomplete: "off", value: view.name })
  const form = element("form", { class: "name" }, element("label", {}, "Your name", field), element("button", { type: "submit" }, own ? "Start with my own numbers" : "Start with my name"), element("p", { class: "grey small" }, words))
  const told = element("p", { role: "alert" })
  form.addEventListener("submit", event => {
    event.preventDefault()
    if (tidy(field.value)) return begin(view, field.value)
    form.append(told)
    told.textContent = "Type your name."
    field.focus()
  })
  return form
}

function drawQuestion(view, step, reveal) {
  const { question, number } = step
  const { answer } = question
  const form = element("form", { class: "question" }, markup("div", question.text))
  const told = element("div", { role: "status" })
  const fields = FIELDS[answer.kind](answer, form, step)
  const tell = (kind, html) => told.replaceChildren(markup("p", html, { class: kind }))
  let isRevealed = false
  const show = () => {
    const last = view.last[number]
    const text = answerText(answer, last.shown ? answer.solution : last.value)
    const exact = answer.kind === "number" && last.right ? answerText(answer, answer.solution) : text
    if (exact !== text) tell("right", `<b>Near enough: the answer is ${exact}.</b> You answered ${text}. ${question.solution}`)
    else if (last.right) tell("right", `<b>Right: ${text}.</b> ${isOther(answer, last.value) ? "Another way: " : ""}${question.solution}`)
    else if (last.shown) tell("info", `<b>${text}.</b> ${question.solution}${last.value === null ? "" : ` You answered ${answerText(answer, last.value)}.`}`)
    else tell("wrong", `<b>${text}:</b> ${rulingOf(question, last.value).hint || "Not yet. Read the question once more, or show the solution."}`)
    if (isDone(view, step) && !isRevealed) {
      isRevealed = true
      fields.solve?.()
      reveal()
    }
  }
  const put = last => {
    view.last[number] = last
    if (!(number in view.answers)) view.answers[number] = last.value
    view.keep()
    show()
    drawNav(view)
    told.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" })
  }
  step.solve = () => {
    const value = tried(() => readAnswer(answer, fields.read()), view.last[number]?.value ?? null)
    put({ value, shown: true, right: false })
  }
  form.addEventListener("submit", event => {
    event.preventDefault()
    try {
      const value = readAnswer(answer, fields.read())
      put({ value, right: rulingOf(question, value).right })
    } catch (error) {
      told.replaceChildren(element("p", { class: "wrong" }, error.message))
    }
  })
  form.append(element("div", { class: "way" }, element("button", { type: "submit", class: "main" }, "Check"), button("Show the solution", step.solve)))
  if (view.last[number]) show()
  return element("section", {}, form, told)
}

// The fields of each kind of answer: they go into the form, and what is in them is read.
const FIELDS = {
  choice({ options }, form, { name }) {
    const inputs = options.map((_, value) => element("input", { type: "radio", name: `choice ${name}`, value }))
    form.append(element("fieldset", {}, element("legend", { class: "hidden" }, "Your answer"), ...options.map((option, place) => {
      const label = element("label", {}, inputs[place])
      label.append(markup("span", option))
      return label
    })))
    return { read: () => inputs.find(input => input.checked)?.value ?? "" }
  },
  number(_, form) {
    const read = textFields(form, ["Your answer"])
    return { read: () => read()[0] }
  },
  mark({ axes, points, solution }, form) {
    const plane = element("div", {}, element("span"))
    const colours = Object.fromEntries(["text", "grey", "grid", "accent", "paper"].map(colour => [colour, `var(--${colour})`]))
    const data = { axes, colours, points, mark: null }
    const draw = () => drawMark({ data, parentElement: plane, setTriggerValue: (_, mark) => {
      data.mark = mark
      for (const [place, input] of inputs.entries()) input.value = mark[place].toFixed(2)
    } })
    form.append(plane)
    const read = textFields(form, axes)
    const inputs = [...form.querySelectorAll("input")]
    for (const input of inputs) {
      input.addEventListener("change", () => {
        try { data.mark = readAnswer({ kind: "mark" }, read()) } catch { return }
        draw()
      })
    }
    draw()
    return { read, solve() {
      data.points = [...points, ["here", ...solution]]
      draw()
    } }
  },
  values(answer, form) {
    if (answer.ranked.length) return rankedFields(answer, form)
    return builtOf(answer, form, textFields(form, answer.names))
  },
}

function textFields(form, names) {
  const inputs = names.map(() => element("input", { type: "text", autocomplete: "off" }))
  form.append(element("div", { class: "fields" }, ...names.map((name, place) => element("label", {}, name, inputs[place]))))
  return () => inputs.map(input => input.value)
}

// What is built has numbers that follow.
function builtOf(answer, form, read) {
  if (!BUILT[answer.rule]) return { read }
  const numbers = element("p", { class: "built", "aria-live": "polite" })
  const follow = () => {
    let lines
    try { lines = BUILT[answer.rule](readAnswer(answer, read()), answer.known) } catch (error) {
      numbers.textContent = read().every(Boolean) ? error.message : "Fill in all fields to see the numbers of what you build."
      return
    }
    numbers.replaceChildren(...lines.flatMap(([name, text]) => [element("span", {}, `${name} `, element("b", {}, text))]))
  }
  form.addEventListener("input", follow)
  form.append(numbers)
  follow()
  return { read, follow }
}

// Documents of a ranked list, each with two buttons that move it.
function rankedFields(answer, form) {
  const list = element("ol", { class: "ranked" })
  const isHit = answer.names.length !== answer.ranked.length // the answer is the ranks of the relevant ones
  const read = () => {
    const grades = [...list.children].map(item => item.dataset.grade)
    return isHit ? grades.flatMap((grade, place) => (Number(grade) ? [String(place + 1)] : [])) : grades
  }
  let built
  list.append(...answer.ranked.map((grade, place) => {
    const words = `Document ${String.fromCharCode(65 + place)}`
    const item = element("li", { "data-grade": grade }, element("span", {}, `${words} · grade ${grade}`))
    const move = way => ({ target }) => {
      const other = way < 0 ? item.previousElementSibling : item.nextElementSibling
      if (!other) return
      if (way < 0) other.before(item)
      else other.after(item)
      target.focus()
      built.follow?.()
    }
    item.append(button("↑", move(-1), { "aria-label": `Move ${words} up` }), button("↓", move(1), { "aria-label": `Move ${words} down` }))
    return item
  }))
  form.append(list)
  built = builtOf(answer, form, read)
  return built
}

// Built once for each step: what was changed in it stays.
function drawWhatIf(view, index) {
  if (!view.built.has(index)) {
    const { whatIf, name, first } = view.steps[index]
    const place = element("section", { class: "what-if", "aria-label": "What if" })
    const build = () => WHAT_IFS[whatIf.kind](whatIf, place, view.lesson, name) // it is measured once it is on the page
    const isFolded = whatIf.kind === "view" && !first
    const words = element("summary", {}, "What if the threshold moves?")
    const shown = isFolded ? element("details", { class: "what-if wide" }, words, place) : place
    if (isFolded) shown.addEventListener("toggle", build, { once: true })
    else setTimeout(build)
    view.built.set(index, shown)
  }
  return view.built.get(index)
}

function drawEnd(view) {
  const { lesson, seed } = view
  const back = element("div", { class: "way" }, button("Back", () => view.go(view.steps.length - 1)))
  const unnamed = () => [element("p", {}, "For a receipt, type your name and go through the lesson again."), drawNameForm(view)]
  const parts = !questionsOf(view).length ? [] : seed ? drawReceipt(view) : unnamed()
  return element("article", {}, element("h1", {}, `End of ${lesson.title}`), ...parts, back)
}

function drawReceipt(view) {
  const { lesson, name, seed, answers } = view
  const receipt = receiptOf({ name, title: lesson.title, digest: lesson.digest, seed, questions: questionsOf(view), answers })
  const text = element("pre", { tabindex: 0, "aria-label": "Receipt" }, receipt.text)
  const copied = element("span", { role: "status" })
  const file = URL.createObjectURL(new Blob([receipt.text], { type: "application/json" }))
  return [
    element("p", {}, element("b", {}, `${receipt.score} right at the first answer.`), ` ${name}, check code ${receipt.check}.`),
    element("div", { class: "way" },
      element("a", { class: "button main", href: file, download: `receipt ${name.replace(/[^\p{L}\p{N} -]/gu, "")}.json` }, "Receipt as a file"),
      button("Copy the receipt", () => {
        getSelection().selectAllChildren(text)
        copied.textContent = document.execCommand("copy") ? "Copied." : "Copy the selected text."
      }), copied),
    text, element("p", { class: "grey small" }, lesson.limits),
    element("details", {}, element("summary", {}, "Start again under another name"), drawNameForm(view)),
  ]
}
