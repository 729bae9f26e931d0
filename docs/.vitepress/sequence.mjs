const HEAD = 34
const ROW = 46
const NOTE = 40
const TOP = 8

/**
 * Draws a sequence diagram as SVG. It understands the part of Mermaid's notation that the pages use,
 * so that the same block is drawn by the hosts of repositories, and refuses the rest.
 */
export function drawSequence(source) {
  const { lanes, steps } = parse(source)
  const lane = lanes.length > 2 ? 170 : 210
  const at = id => lanes.findIndex(each => each.id === id) * lane + lane / 2
  // A note may be wider than its lane.
  const edges = steps.filter(({ kind }) => kind === 'note').map(note => extentOf(note, at))
  const left = Math.min(0, ...edges.map(({ x }) => x - 2))
  const right = Math.max(lanes.length * lane, ...edges.map(({ x, width }) => x + width + 2))
  const width = right - left
  let y = TOP + HEAD + 14
  const drawn = steps.map(step => {
    const height = step.kind === 'note' ? NOTE : ROW
    y += height
    return step.kind === 'note' ? drawNote(step, at, y) : drawArrow(step, at, y)
  })
  const height = y + 24
  const lines = lanes.map(
    ({ id }) =>
      `<line class="lane" x1="${at(id)}" y1="${TOP + HEAD}" x2="${at(id)}" y2="${height - 6}"/>`,
  )
  const heads = lanes.map(
    ({ id, name }) =>
      `<rect class="head" x="${at(id) - 70}" y="${TOP}" width="140" height="${HEAD}" rx="8"/>` +
      `<text class="name" x="${at(id)}" y="${TOP + 22}">${escapeText(name)}</text>`,
  )
  const label = `${lanes.map(({ name }) => name).join(', ')}: ${steps.map(({ text }) => text).join('; ')}`
  return (
    `<svg role="img" aria-label="${escapeText(label)}" viewBox="${left} 0 ${width} ${height}" ` +
    `style="max-width:${width}px;min-width:${Math.round(width * 0.8)}px">` +
    `${[...lines, ...heads, ...drawn].join('')}</svg>`
  )
}

function parse(source) {
  const lanes = []
  const steps = []
  for (const line of source.split('\n').map(each => each.trim())) {
    if (line === '' || line === 'sequenceDiagram') continue
    const lane = line.match(/^participant (\w+) as (.+)$/)
    const arrow = line.match(/^(\w+)(--?>>)(\w+): (.+)$/)
    const note = line.match(/^Note over (\w+)(?:,\s*(\w+))?: (.+)$/)
    if (lane) lanes.push({ id: lane[1], name: lane[2] })
    else if (arrow) {
      steps.push({
        kind: 'arrow',
        from: arrow[1],
        dashed: arrow[2] === '-->>',
        to: arrow[3],
        text: arrow[4],
      })
    } else if (note)
      steps.push({ kind: 'note', from: note[1], to: note[2] ?? note[1], text: note[3] })
    else throw new SyntaxError(`a diagram cannot have this line: ${line}`)
  }
  const known = new Set(lanes.map(({ id }) => id))
  for (const { from, to } of steps) {
    for (const id of [from, to]) {
      if (!known.has(id)) throw new SyntaxError(`a diagram has no participant ${id}`)
    }
  }
  return { lanes, steps }
}

function drawArrow({ from, to, dashed, text }, at, y) {
  const start = at(from)
  const end = at(to)
  const line = dashed ? 'arrow answer' : 'arrow'
  if (start === end) {
    return (
      `<text class="label" style="text-anchor:start" x="${start + 34}" y="${y - 6}">${escapeText(text)}</text>` +
      `<path class="${line}" d="M${start} ${y - 16}h24v18h-18"/>${tip(start + 2, y + 2, -1)}`
    )
  }
  const way = Math.sign(end - start)
  return (
    `<text class="label" x="${(start + end) / 2}" y="${y - 7}">${escapeText(text)}</text>` +
    `<path class="${line}" d="M${start} ${y}H${end - way * 6}"/>${tip(end, y, way)}`
  )
}

function tip(x, y, way) {
  return `<path class="tip" d="M${x} ${y}l${-8 * way} -4v8z"/>`
}

function drawNote({ from, to, text }, at, y) {
  const { x, width } = extentOf({ from, to, text }, at)
  return (
    `<rect class="note" x="${x}" y="${y - 24}" width="${width}" height="28" rx="6"/>` +
    `<text class="label" x="${x + width / 2}" y="${y - 6}">${escapeText(text)}</text>`
  )
}

function extentOf({ from, to, text }, at) {
  const width = Math.max(Math.abs(at(to) - at(from)) + 120, text.length * 6.4 + 24)
  return { x: (at(from) + at(to)) / 2 - width / 2, width }
}

function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
