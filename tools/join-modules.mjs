// Rollup joins modules. Which of them belong together, for the sake of processes that start, is said here.
//
// node tools/join-modules.mjs packages/core
//
// Puts the compiled modules of a package into few files. A process that starts reads and links each file
// on its own, and that takes longer than running what is in them: docs/decisions/008 has the figures.
// What is loaded later, by `import()`, stays in files of its own. Declarations stay as they are.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { rollup } from 'rollup'
import { PARTS } from './bundle-parts.mjs'

const root = resolve(process.argv[2])
const dist = join(root, 'dist')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const entries = entryFiles()
const external = id => !id.startsWith('.') && !id.startsWith(dist)
const bundle = await rollup({ input: entries, external })
const chunkOf = assignChunks(bundle.cache.modules)
const { output } = await bundle.write({
  dir: dist,
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: 'lib/[name].js',
  manualChunks: id => chunkOf.get(id),
  hoistTransitiveImports: false,
  minifyInternalExports: false,
})
const written = new Set(output.map(({ fileName }) => join(dist, fileName)))
for (const file of javaScriptIn(dist)) if (!written.has(file)) rmSync(file)

/** What others can name: `exports` of the package, and what it picks by condition for itself. */
function entryFiles() {
  const targets = [manifest.exports, manifest.imports].flatMap(targetsIn)
  const files = targets.flatMap(target => {
    if (!target.includes('*')) return [join(root, target)]
    const [before, after] = join(root, target).split('*')
    return javaScriptIn(dist).filter(file => file.startsWith(before) && file.endsWith(after))
  })
  const existing = [...new Set(files)].filter(file => file.endsWith('.js') && existsSync(file))
  return Object.fromEntries(
    existing.map(file => [file.slice(dist.length + 1, -3).replaceAll(sep, '/'), file]),
  )
}

function targetsIn(value) {
  if (typeof value === 'string') return value.startsWith('./dist/') ? [value] : []
  return Object.values(value ?? {}).flatMap(targetsIn)
}

/**
 * Which modules go together: whatever the smallest entry needs that needs it at all, so that nobody
 * loads more than they would have. What the parts named by the package need goes first, each in a file
 * of its own. Entries that share by hundreds, such as providers, have one file for all that they share.
 */
function assignChunks(modules) {
  const byId = new Map(modules.map(module => [module.id, module]))
  const own = new Set(Object.values(entries))
  const groups = new Map()
  const group = (name, ids) => {
    for (const id of ids) if (!own.has(id) && !groups.has(id)) groups.set(id, `${name}-parts`)
  }
  const parts = PARTS[manifest.name] ?? {}
  const needsOf = part => part.flatMap(each => [...closure(join(dist, `${each}.js`), byId)])
  for (const [name, part] of Object.entries(parts)) {
    if (!part.common) group(name, needsOf(part))
    else {
      const [first, ...others] = part.common.map(each => new Set(needsOf(parts[each])))
      group(
        name,
        [...first].filter(id => others.every(other => other.has(id))),
      )
    }
  }
  const needs = Object.entries(entries).map(([name, file]) => [name, closure(file, byId)])
  const bySize = needs.sort(([, left], [, right]) => left.size - right.size)
  for (const [name, ids] of bySize.filter(([name]) => !isOneOfMany(name))) {
    group(name.split('/').at(-1), ids)
  }
  for (const [name, ids] of bySize.filter(([name]) => isOneOfMany(name))) {
    group(name.split('/').slice(0, -1).join('-'), ids)
  }
  return groups
}

/** Whether an entry is one of those that a pattern such as `./providers/*` exports. */
function isOneOfMany(name) {
  return targetsIn(manifest.exports).some(target => {
    const [before, after] = target.split('*')
    const file = `./dist/${name}.js`
    return after !== undefined && file.startsWith(before) && file.endsWith(after)
  })
}

/** A module and everything that is loaded with it. */
function closure(file, byId, seen = new Set()) {
  if (seen.has(file) || !byId.has(file)) return seen
  seen.add(file)
  for (const id of byId.get(file).dependencies) closure(id, byId, seen)
  return seen
}

function javaScriptIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter(file => file.endsWith('.js'))
    .map(file => join(folder, file))
}
