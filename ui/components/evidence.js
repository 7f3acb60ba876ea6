const make = (name, className, text) => {
  const node = document.createElement(name)
  if (className) node.className = className
  if (text !== undefined) node.textContent = text
  return node
}

const pieceNode = ([text, style, tone, ids]) => {
  if (!ids.length) return style ? make("span", style, text) : document.createTextNode(text)
  const node = make("mark", style ? `${tone} ${style}` : tone, text)
  node.dataset.ids = ids.join(" ")
  node.tabIndex = 0
  return node
}

const proseNode = (pieces) => {
  const box = make("div", "text")
  for (const piece of pieces) box.append(pieceNode(piece))
  return box
}

const codeNode = (pieces, lines) => {
  const box = make("div", "code")
  let number = 0
  let line
  const open = () => {
    number += 1
    const row = make("div", "row")
    const own = lines.length ? lines[number - 1] || "…" : number
    const count = make("span", "n", String(own))
    count.setAttribute("aria-hidden", "true")
    line = make("span", "l")
    row.append(count, line)
    box.append(row)
  }
  open()
  for (const [text, ...rest] of pieces) {
    text.split("\n").forEach((part, index) => {
      if (index) open()
      if (part) line.append(pieceNode([part, ...rest]))
    })
  }
  if (number > 1 && !line.hasChildNodes()) line.parentNode.remove()
  return box
}

const itemNode = (item, words) => {
  const say = (name, className, text, field) => {
    const node = make(name, className, text)
    if (item.english.includes(field)) node.lang = "en"
    return node
  }
  const row = make("li", item.tone)
  row.dataset.id = item.id
  const button = make("button")
  button.type = "button"
  const meta = make("div", "meta")
  meta.append(make("span", "tag", item.tag))
  for (const part of [item.subject, item.where]) if (part) meta.append(make("span", "", part))
  button.append(meta, say("div", "title", item.title, "title"))
  if (item.passage) button.append(make("div", "quote", item.quote))
  else button.append(make("div", "none", words.missing))
  if (item.body) button.append(say("div", "body", item.body, "explanation"))
  if (item.fix) {
    const fix = make("div", "fix")
    fix.append(make("b", "", item.remedy), say("span", "", item.fix, "fix"))
    button.append(fix)
  }
  button.disabled = !item.passage
  row.append(button)
  return row
}

const paneNode = (title, hint, inner, label) => {
  const pane = make("div", "pane")
  const head = make("div", "head")
  head.append(make("span", "", title), make("span", "hint", hint))
  const scroll = make("div", "scroll")
  scroll.tabIndex = 0
  scroll.setAttribute("role", "region")
  scroll.setAttribute("aria-label", label)
  scroll.append(inner)
  pane.append(head, scroll)
  return pane
}

const scrollTo = (node) => {
  const box = node.closest(".scroll")
  const away = node.getBoundingClientRect().top - box.getBoundingClientRect().top
  box.scrollTop += away - box.clientHeight / 3
}

export default function (component) {
  const { data, parentElement } = component
  const root = parentElement.querySelector(".evidence")
  if (root.dataset.version === data.version) return
  root.dataset.version = data.version

  const text = data.code ? codeNode(data.pieces, data.lines) : proseNode(data.pieces)
  if (data.unseen) text.prepend(make("div", "note", data.words.unseen))
  if (data.cut) text.append(make("div", "note", data.words.cut))
  const list = make("ol", data.code ? "is-code" : "")
  for (const item of data.items) list.append(itemNode(item, data.words))
  const right = data.items.length ? list : make("div", "empty", data.words.none)

  const grid = make("div", "grid")
  grid.append(
    paneNode(data.words.pasted, data.words.pasted_hint, text, data.label),
    paneNode(data.words.findings, data.words.findings_hint, right, data.words.findings_name),
  )
  root.replaceChildren(grid)

  const marksOf = (id) => [...root.querySelectorAll("mark")].filter((it) => it.dataset.ids.split(" ").includes(id))
  const select = (id, from) => {
    for (const node of root.querySelectorAll(".on")) node.classList.remove("on")
    const marks = marksOf(id)
    const row = root.querySelector(`li[data-id="${id}"]`)
    for (const node of marks) node.classList.add("on")
    if (row) row.classList.add("on")
    if (from === "list" && marks.length) scrollTo(marks[0])
    if (from === "text" && row) scrollTo(row)
  }
  const pick = (event) => {
    const mark = event.target.closest("mark")
    if (mark) return select(mark.dataset.ids.split(" ")[0], "text")
    const row = event.target.closest("li")
    if (row && !row.querySelector("button").disabled) select(row.dataset.id, "list")
  }
  root.onclick = pick
  root.onkeydown = (event) => {
    if ((event.key === "Enter" || event.key === " ") && event.target.closest("mark")) {
      event.preventDefault()
      pick(event)
    }
  }
}
