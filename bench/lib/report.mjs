import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg } from 'node:os'

const results = new URL('../results/', import.meta.url)

/**
 * Prints a table, and keeps it under `results/` with a plot of it.
 *
 * @param rows with `name`, `ratio`, whether it is `ours`, and what `columns` show
 * @param columns heading and value of each column
 * @param bars what the plot shows: a heading that says whether more is better, and how a ratio is written
 * @param overview what comes before the table
 */
export function report(name, { title, overview, note, rows, columns, bars }) {
  const parts = [overview, tableOf(rows, columns), note].filter(Boolean)
  console.log(`${[title, ...parts].join('\n\n')}\n`)
  mkdirSync(results, { recursive: true })
  const text = [`# ${title}`, ...parts, `Node ${process.version}, ${describeLoad()}`].join('\n\n')
  writeFileSync(new URL(`${name}.md`, results), `${text}\n`)
  if (bars) writeFileSync(new URL(`${name}.svg`, results), plot(title, rows, bars))
}

export function tableOf(rows, columns) {
  const lines = rows.map(
    row =>
      `| ${row.ours ? `**${row.name}**` : row.name} | ${columns.map(([, of]) => of(row)).join(' | ')} |`,
  )
  return [
    `| | ${columns.map(([heading]) => heading).join(' | ')} |`,
    `|---|${columns.map(() => '--:').join('|')}|`,
    ...lines,
  ].join('\n')
}

export function describeLoad() {
  return `${arch()}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)} at the end.`
}

/** The columns of everything that is measured as time for one operation. */
export const timeColumns = [
  ['µs, median', row => row.median.toFixed(1)],
  ['p10 to p90', row => `${row.p10.toFixed(1)} – ${row.p90.toFixed(1)}`],
  ['× limit', row => row.ratio.toFixed(2)],
]

/** What the plot of times shows. */
export const timeBars = {
  heading: 'Time, as a multiple of the limit. Shorter is better.',
}

/** A table with a column for each size, of ratios to the same limit. */
export function reportBySize(name, { title, note, bySize }) {
  const names = bySize[0].rows.map(row => row.name)
  report(name, {
    title,
    note,
    rows: names.map(each => {
      const found = bySize.map(({ rows }) => rows.find(row => row.name === each))
      return { name: each, ours: found[0].ours, found, ratio: found.at(-1)?.ratio }
    }),
    columns: bySize.map(({ heading }, index) => [
      heading,
      ({ found }) => {
        const row = found[index]
        return row
          ? `${row.ratio.toFixed(2)} (${row.ratio10.toFixed(2)} – ${row.ratio90.toFixed(2)})`
          : '–'
      },
    ]),
  })
}

/** Bars on a logarithmic scale, since peers differ by orders of magnitude. Follows light and dark. */
function plot(title, rows, { heading, format = ratio => `${ratio.toFixed(2)} ×` }) {
  const [width, step, top] = [330, 26, 62]
  const left = Math.max(330, ...rows.map(row => 24 + row.name.length * 7.8))
  const ratios = rows.map(row => row.ratio)
  const least = Math.min(...ratios) * 0.7
  const scale = width / Math.log(Math.max(...ratios) / least)
  const bars = rows.map((row, index) => {
    const y = top + index * step
    const length = Math.max(2, Math.log(row.ratio / least) * scale)
    return `<text x="${left - 10}" y="${y + 14}" text-anchor="end" class="${row.ours ? 'own' : 'name'}">${escaped(row.name)}</text>
<rect x="${left}" y="${y + 2}" width="${length.toFixed(1)}" height="16" rx="3" class="${row.ours ? 'ours' : 'bar'}"/>
<text x="${(left + length + 8).toFixed(1)}" y="${y + 14}" class="name">${format(row.ratio)}</text>`
  })
  const height = top + rows.length * step + 12
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 100} ${height}" width="${left + width + 100}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
text{font:13px system-ui,sans-serif;fill:#4b5563}.title{font-size:15px;font-weight:600;fill:#111827}.own{font-weight:600;fill:#111827}
.bar{fill:#cbd5e1}.ours{fill:#4f46e5}
@media(prefers-color-scheme:dark){text{fill:#9ca3af}.title,.own{fill:#f3f4f6}.bar{fill:#475569}.ours{fill:#818cf8}}
</style>
<text x="12" y="24" class="title">${escaped(title)}</text>
<text x="12" y="44">${escaped(heading)}</text>
${bars.join('\n')}
</svg>
`
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
