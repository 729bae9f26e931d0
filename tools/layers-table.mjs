// Writes the layers into ARCHITECTURE.md, which readers hold to be what the check of imports goes by.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LAYERS } from './layers.mjs'
import { listSources, ROOT } from './workspace.mjs'

const PAGE = 'ARCHITECTURE.md'
const WRITTEN =
  /(<!-- layers: written by tools\/layers-table\.mjs -->\n)[\s\S]*?(<!-- \/layers -->)/
/** As wide as the places of a layer are in a line of the table. */
const WIDTH = 46

/** The faults of what ARCHITECTURE.md says of core's folders. With `update` it writes the layers there. */
export function checkLayersTable(root = ROOT, { update = false } = {}) {
  const path = join(root, PAGE)
  const recorded = readFileSync(path, 'utf8')
  if (!WRITTEN.test(recorded)) return [`${PAGE} has no place for the layers`]
  const text = recorded.replace(WRITTEN, (_, start, end) => `${start}${layersAsText()}${end}`)
  if (update) writeFileSync(path, text)
  const isCurrent = update || recorded === text
  return [
    ...(isCurrent ? [] : [`${PAGE} has other layers. Cure: node tools/layers-table.mjs`]),
    ...foldersLeftOut(root, text).map(
      folder => `${PAGE} does not say what is in packages/core/src/lib/${folder}`,
    ),
  ]
}

/** The layers as readers see them: the highest first, then the features whose parts are in order. */
export function layersAsText() {
  const lines = LAYERS.map(({ features, says }, layer) => {
    const places = features.map(each => shortName(each.steps ? featureOf(each) : each))
    const [first, ...more] = inLines(places.join(', '))
    const head = `${String(layer).padStart(2)}  ${first.padEnd(WIDTH)}  ${says}`
    return [head, ...more.map(line => `    ${line}`)]
  })
  const features = LAYERS.flatMap(each => each.features).filter(({ steps }) => steps)
  return [
    '```',
    ...lines.reverse().flat(),
    '```',
    '',
    'Within a feature, folders are in order as well, the lowest first:',
    '',
    '```',
    ...features.map(
      ({ steps }) =>
        `${shortName(featureOf({ steps })).padEnd(12)}${steps.map(step => step.map(each => withoutFeature(each)).join(', ')).join(' < ')}`,
    ),
    '```',
    '',
  ].join('\n')
}

/** The folder that all parts of a feature are in. */
function featureOf({ steps }) {
  return steps[0][0].split('/').slice(0, 2).join('/')
}

function shortName(place) {
  if (place === '.') return 'src/*.ts'
  return place.startsWith('lib/') ? place.slice('lib/'.length) : `src/${place}`
}

function withoutFeature(place) {
  return place.split('/').at(-1)
}

function inLines(text) {
  const lines = ['']
  for (const word of text.split(/(?<= )/)) {
    if ((lines.at(-1) + word).trimEnd().length > WIDTH) lines.push('')
    lines[lines.length - 1] += word
  }
  return lines.map(line => line.trimEnd())
}

/** The folders that the tree of folders does not name. */
function foldersLeftOut(root, text) {
  const lib = join(root, 'packages/core/src/lib')
  const tree = /^packages\/core\/$([\s\S]*?)^packages\//m.exec(text)?.[1] ?? ''
  return readdirSync(lib)
    .filter(folder => listSources(join(lib, folder)).length > 0)
    .filter(folder => !new RegExp(`^ .*(?<![\\w/])${folder}/(?= |$)`, 'm').test(tree))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = checkLayersTable(ROOT, { update: !process.argv.includes('--check') })
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
