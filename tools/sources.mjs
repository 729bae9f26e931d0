// `exports` name what is built. With this, Vite and esbuild find the sources, and nothing is built before a test.
import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import { listPackages } from './workspace.mjs'

const OURS = /^(?:#|@siteauth\/)/

/**
 * The sources behind a name that a file of `pkg` imports: of a package of the workspace, or one that the
 * package has for itself, such as `#crypto`. Whatever package.json says is in `dist` was made from the file
 * of that name in `src`. There may be several, one per runtime, unless `conditions` say which.
 */
export function sourcesOf(specifier, pkg, packages, conditions) {
  if (specifier.startsWith('#')) {
    return sourcesIn(pkg?.path, pkg?.manifest.imports?.[specifier], conditions)
  }
  const owner = ownerOf(specifier, packages)
  if (!owner) return []
  const { exports = {} } = owner.manifest
  const key = `.${specifier.slice(owner.name.length)}`
  if (exports[key]) return sourcesIn(owner.path, exports[key], conditions)
  for (const [pattern, target] of Object.entries(exports)) {
    const [head, tail] = pattern.split('*')
    if (tail !== undefined && key.startsWith(head) && key.endsWith(tail)) {
      const star = key.slice(head.length, key.length - tail.length)
      return sourcesIn(owner.path, target, conditions, star)
    }
  }
  return []
}

/** The package of the workspace that a name belongs to. */
export function ownerOf(specifier, packages) {
  return packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
}

/** For Vite: packages see each other's sources, and nothing is built first. */
export function viteSources(conditions) {
  return {
    name: 'sources',
    enforce: /** @type {const} */ ('pre'),
    resolveId: sourceFinder(conditions),
  }
}

/** The same for esbuild. */
export function esbuildSources(conditions) {
  const find = sourceFinder(conditions)
  return {
    name: 'sources',
    setup(build) {
      build.onResolve({ filter: OURS }, ({ path, importer }) => {
        const source = find(path, importer)
        return source ? { path: source } : undefined
      })
    },
  }
}

function sourceFinder(conditions) {
  const packages = listPackages()
  return (specifier, importer) => {
    if (!OURS.test(specifier)) return null
    const pkg = packages.find(({ path }) => importer?.startsWith(path + sep))
    return sourcesOf(specifier, pkg, packages, conditions)[0] ?? null
  }
}

function sourcesIn(folder, target, conditions, star = '') {
  if (typeof target === 'object' && target) {
    const chosen = Object.entries(target).filter(
      ([condition]) => condition === 'default' || (conditions?.includes(condition) ?? true),
    )
    return [...new Set(chosen.flatMap(([, inner]) => sourcesIn(folder, inner, conditions, star)))]
  }
  const [, stem] = /^\.\/dist\/(.*)\.js$/.exec(String(target).replace('*', star)) ?? []
  const path = stem && join(folder, 'src', `${stem}.ts`)
  return path && existsSync(path) ? [path] : []
}
