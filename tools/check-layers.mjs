// dependency-cruiser needs Node 22, and we work on 20 as well.
import { existsSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { LAYERS } from './layers.mjs'
import { ownerOf, sourcesOf } from './sources.mjs'
import { moduleLiterals, parseFile } from './syntax.mjs'
import { listPackages, listSources, ROOT, runAsScript } from './workspace.mjs'

/**
 * Modules that only some places may import. Who sent a request is decided in lib/principal: everything else gets a
 * `Principal`, and neither opens a session token nor looks a session up.
 */
const RESERVED = [
  {
    modules: ['lib/session/jwt/', 'lib/session/database/', 'lib/session/hashing/'],
    importers: ['lib/session/', 'lib/config/', 'lib/principal/', 'jwt.ts'],
  },
  {
    modules: ['lib/config/scheme.ts'],
    importers: [
      'lib/principal/',
      'lib/integration/request-session.ts',
      'lib/api/create-auth.ts',
      'internal.ts',
    ],
  },
  { modules: ['lib/principal/credentials-state.ts'], importers: ['lib/principal/'] },
  {
    modules: ['lib/http/find-session-cookie.ts'],
    // Tokens of a provider are in cookies that are split in the same way. `getToken` reads one for the application.
    importers: [
      'lib/http/',
      'lib/principal/',
      'lib/session/jwt/jwt.ts',
      'lib/flows/cookies/provider-tokens.ts',
      'internal.ts',
    ],
  },
]
const CORE = '@siteauth/core'
/** Readers see a folder at a glance if it has no more files than this. */
const MAX_FILES = 20
/** Tables of data, with a file for each row. */
const TABLES = ['lib/branding/logos', 'lib/translations', 'providers']

/** Imports that point the wrong way, cycles, files in a place no layer names, and folders with too many files. */
export function checkLayers(root = ROOT) {
  const packages = listPackages(root)
  const problems = []
  const graph = new Map()
  for (const pkg of packages) {
    const src = join(pkg.path, 'src')
    const hasLayers = pkg.name === CORE
    problems.push(...crowdedFolders(src).map(why => `${relative(root, src)}/${why}`))
    for (const file of listSources(src)) {
      const path = join(src, file)
      const complain = why => problems.push(`${relative(root, path)}: ${why}`)
      if (hasLayers && !placeOf(file)) {
        complain('this place has no layer; add it to LAYERS in tools/layers.mjs')
      }
      const resolved = moduleLiterals(parseFile(path).program).map(({ value }) =>
        resolve(value, path, pkg, packages),
      )
      for (const { problem, files } of resolved) {
        if (problem) complain(problem)
        const wrong = hasLayers ? files.map(to => whyNot(file, relative(src, to))) : []
        wrong.filter(Boolean).forEach(complain)
      }
      graph.set(
        path,
        resolved.flatMap(({ files }) => files),
      )
    }
  }
  const cycles = findCycles(graph).map(
    cycle => `cycle: ${cycle.map(file => relative(root, file)).join(' → ')}`,
  )
  return [...new Set(problems), ...cycles]
}

/** Folders that have more files than a reader sees at a glance, tests apart. */
function crowdedFolders(src) {
  const counts = new Map()
  for (const file of listSources(src)) {
    const folder = posix.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > MAX_FILES && !TABLES.includes(folder))
    .map(([folder, count]) => `${folder}: ${count} files; split it, ${MAX_FILES} are the most`)
}

function whyNot(from, to) {
  const reserved = RESERVED.find(({ modules }) => modules.some(place => to.startsWith(place)))
  if (reserved && !reserved.importers.some(place => from.startsWith(place))) {
    return `imports ${to}, which only ${reserved.importers.join(', ')} may import. Ask lib/principal who sent the request.`
  }
  const [source, target] = [placeOf(from), placeOf(to)]
  if (!source || !target || source.folder === target.folder) return null
  if (source.folder === 'providers' && target.layer > 1 && target.folder !== 'lib/providers') {
    return `imports ${to}, but a provider imports only lib/providers, lib/branding and lib/base`
  }
  if (target.layer !== source.layer) {
    if (target.layer < source.layer) return null
    return `imports ${to}, which is above it (layer ${source.layer} → ${target.layer})`
  }
  if (source.feature === target.feature && source.step !== target.step) {
    return target.step < source.step
      ? null
      : `imports ${to}, which is above it in ${source.feature}`
  }
  return `imports ${to}, but ${join('src', source.folder)} and ${join('src', target.folder)} know nothing of each other`
}

function placeOf(file) {
  const folder = posix.dirname(file)
  for (const [layer, { features }] of LAYERS.entries()) {
    for (const each of features) {
      const { steps = [[each]] } = each
      const step = steps.findIndex(places => places.includes(file) || places.includes(folder))
      // The first folder of a feature names it.
      if (step >= 0) return { layer, feature: steps[0][0], step, folder }
    }
  }
  return null
}

function resolve(specifier, from, pkg, packages) {
  if (specifier.startsWith('.')) {
    const path = join(dirname(from), specifier)
    const inside = path.startsWith(join(pkg.path, 'src/')) && existsSync(path)
    if (inside) return { files: [path] }
    return { files: [], problem: `imports ${specifier}, which is no file under its package's src` }
  }
  if (specifier.startsWith('#')) return { files: sourcesOf(specifier, pkg, packages) }
  const owner = ownerOf(specifier, packages)
  if (!owner) return { files: [] }
  if (pkg.name === CORE && owner !== pkg) {
    return { files: [], problem: `imports ${specifier}, but core imports no other package` }
  }
  const files = sourcesOf(specifier, pkg, packages)
  if (files.length > 0) return { files }
  return { files: [], problem: `imports ${specifier}, which is not in ${owner.name}'s exports` }
}

function findCycles(graph) {
  const cycles = []
  const done = new Set()
  const walk = (file, trail) => {
    const start = trail.indexOf(file)
    if (start >= 0) cycles.push([...trail.slice(start), file])
    if (start >= 0 || done.has(file)) return
    for (const target of graph.get(file) ?? []) walk(target, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return cycles
}

runAsScript(import.meta.url, checkLayers)
