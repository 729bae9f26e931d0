// What our packages use of each other without a promise to anybody else: docs/stability.md.
import { join } from 'node:path'
import { parseFile, visit } from './syntax.mjs'
import { isInternal, listPackages, listSources, ROOT, runAsScript } from './workspace.mjs'

/** Versions that are not exact, and names of internal entries that no other package imports. */
export function checkInternal(root = ROOT) {
  const packages = listPackages(root)
  return [...packages.flatMap(pkg => looseVersions(pkg, packages)), ...unusedNames(packages)]
}

/**
 * Internal entries change in any version, so each package needs exactly the one that it was made with. Changesets makes
 * every release a major one, though, if it moves a package out of the range of a peer.
 */
function looseVersions({ folder, manifest }, packages) {
  const { dependencies, devDependencies, peerDependencies } = manifest
  const own = Object.entries({ ...devDependencies, ...dependencies })
  const peers = Object.entries({ ...peerDependencies })
  const versionOf = name => packages.find(pkg => pkg.name === name)?.manifest.version
  const wanted = [
    ...own.map(([name, range]) => ({ name, range, expected: versionOf(name) })),
    ...peers.map(([name, range]) => ({ name, range, expected: versionOf(name) && '*' })),
  ]
  return wanted
    .filter(({ range, expected }) => expected !== undefined && range !== expected)
    .map(
      ({ name, range, expected }) =>
        `packages/${folder}/package.json: ${name} must be ${expected}, is ${range}`,
    )
}

/** Whatever nobody needs any more goes, or these entries would only grow. */
function unusedNames(packages) {
  const imported = importedNames(packages)
  return packages.flatMap(({ name, path, manifest }) =>
    Object.keys(manifest.exports ?? {})
      .filter(isInternal)
      .flatMap(key => {
        const file = join(path, 'src', `${key.slice(2)}.ts`)
        const used = imported.get(name + key.slice(1))
        return namesIn(file, ['ExportNamedDeclaration'], 'exported')
          .filter(({ word }) => !used?.has(word))
          .map(({ word }) => `${name}${key.slice(1)} exports ${word}, which no package imports`)
      }),
  )
}

/** The names that sources of packages import, by what they import them from. */
function importedNames(packages) {
  const imported = new Map()
  for (const { path } of packages) {
    for (const file of listSources(join(path, 'src'))) {
      const kinds = ['ImportDeclaration', 'ExportNamedDeclaration']
      for (const { word, source } of namesIn(join(path, 'src', file), kinds, 'imported')) {
        imported.set(source, (imported.get(source) ?? new Set()).add(word))
      }
    }
  }
  return imported
}

function namesIn(file, kinds, side) {
  const found = []
  visit(parseFile(file).program, node => {
    // Imports and exports stand at the top of a module, and nowhere below it.
    if (node.type === 'Program') return true
    if (!kinds.includes(node.type) || !node.source) return isModule(node)
    for (const specifier of node.specifiers) {
      // What is passed on is imported by its local name.
      const { name } = specifier[side] ?? specifier.local
      found.push({ word: name, source: node.source.value })
    }
    return false
  })
  return found
}

/** `declare module`, which is a module as well. */
function isModule({ type }) {
  return type === 'TSModuleDeclaration' || type === 'TSModuleBlock'
}

runAsScript(import.meta.url, checkInternal)
