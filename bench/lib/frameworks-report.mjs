import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { routeBars, routeColumns, routeNote } from './http-pairs.mjs'
import { describeLoad, report, tableOf } from './report.mjs'

const file = new URL('../results/frameworks.json', import.meta.url)

/** Keeps what was measured in one framework, so that none has to be measured again for the sake of another. */
export function keepFramework(folder, measured) {
  const all = { ...readKept(), [folder]: { ...measured, machine: describeLoad() } }
  const sorted = Object.entries(all).sort(([left], [right]) => (left < right ? -1 : 1))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}

/** One table of frameworks and contenders, and one of all that is known of them. */
export function reportFrameworks() {
  const frameworks = Object.values(readKept())
  const peers = new Set(frameworks.flatMap(each => each.peers))
  report('frameworks', {
    title: 'A route that knows who is signed in, in each framework',
    overview: overviewOf(frameworks),
    note: [
      `${routeNote.replace('All values', 'All values of a framework')} Against ${[...peers].sort().join(', ')}.`,
      ...frameworks.map(({ title, node, machine }) => `- ${title} on Node ${node}: ${machine}`),
    ].join('\n'),
    rows: frameworks.flatMap(({ title, rows }) =>
      rows.map(row => ({ ...row, name: `${title}: ${row.name}` })),
    ),
    columns: routeColumns(),
    bars: routeBars,
  })
}

function overviewOf(frameworks) {
  const names = [...new Set(frameworks.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  const cell = row =>
    row ? `${row.ratio.toFixed(2)} (${row.spread}), CPU ${row.cpuRatio.toFixed(2)}` : ''
  const table = tableOf(
    frameworks.map(({ title, rows }) => ({ name: title, rows })),
    names.map(name => [name, ({ rows }) => cell(rows.find(row => row.name === name))]),
  )
  return `Requests per second as a share of the bare route (p10 to p90), and the same of CPU time:\n\n${table}`
}

function readKept() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}
