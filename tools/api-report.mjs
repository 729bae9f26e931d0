// API Extractor reports on one entry of a package, with a compiler of its own. Core has 125.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative } from 'node:path'
import { openDeclarations } from './declarations.mjs'
import { withDeclarations } from './with-declarations.mjs'
import {
  isInternal,
  listPackages,
  listSources,
  PROVIDERS,
  ROOT,
  runAsScript,
} from './workspace.mjs'

/**
 * Holds every package's public types to the reports in its folder, so that a change of the public
 * API shows in review. Providers, of which there are many, have one of their own. With `update` it
 * writes the reports. `declared` has the declarations, in a folder per package.
 */
export function checkApi(root = ROOT, { update = false, declared = join(root, 'packages') } = {}) {
  return listPackages(root)
    .filter(({ manifest }) => manifest.exports)
    .flatMap(pkg => {
      const entries = entriesOf(pkg, join(declared, pkg.folder))
      const missing = entries.find(({ file }) => !existsSync(file))
      if (missing) return [`${relative(root, missing.file)} is missing. Cure: npm run build`]
      return reportsOf(pkg, entries, declared).flatMap(({ path, text }) => {
        if (update) writeFileSync(path, text)
        const recorded = existsSync(path) ? readFileSync(path, 'utf8') : ''
        if (recorded === text) return []
        return [
          `${relative(root, path)} is out of date. Cure: npm run api\n${diff(recorded, text)}`,
        ]
      })
    })
}

function reportsOf(pkg, entries, declared) {
  const declarations = openDeclarations()
  const seen = new Map()
  return [
    {
      file: `${pkg.folder}.api.md`,
      title: `Public API of ${pkg.name}`,
      isOf: key => key !== PROVIDERS,
    },
    {
      file: 'providers.api.md',
      title: `Providers of ${pkg.name}`,
      isOf: key => key === PROVIDERS,
    },
  ]
    .map(report => ({ ...report, entries: entries.filter(({ key }) => report.isOf(key)) }))
    .filter(report => report.entries.length > 0)
    .map(({ file, ...report }) => ({
      path: join(pkg.path, file),
      text: writeReport(pkg, { ...report, declared, declarations, seen }),
    }))
}

/** What applications can import from a package, with the declaration file of each below `folder`. */
export function entriesOf({ name, manifest }, folder) {
  return Object.entries(manifest.exports).flatMap(([key, target]) => {
    if (!target?.types || isInternal(key)) return []
    const stars = key.includes('*') ? starsOf(join(folder, dirname(target.types))) : ['']
    return stars.map(star => ({
      key,
      name: posix.join(name, key.replace('*', star)),
      file: join(folder, target.types.replace('*', star)),
    }))
  })
}

function starsOf(folder) {
  return listSources(folder)
    .filter(file => !file.includes('/') && file !== 'index.d.ts')
    .map(file => file.replace(/\.d\.ts$/, ''))
}

/** A report of some entries, with those of their declarations that are not in `seen`, to which they are added. */
function writeReport(pkg, { title, entries, declared, declarations, seen }) {
  const reached = new Map()
  const moduleName = file =>
    relative(join(declared, pkg.folder, 'dist'), file).replace(/\.d\.ts$/, '')
  const lines = [
    `# ${title}`,
    '',
    'Written by `npm run api` from the declarations. Review its diff; do not edit it.',
    '',
    '## Entries',
  ]
  for (const { name, file } of entries) {
    lines.push('', `### ${name}`, '')
    for (const exported of declarations.exportedNames(file)) {
      const found = declarations.findExport(file, exported)
      declarations.reach(found, reached)
      lines.push(`- ${exported}: ${describe(found, declarations, moduleName)}`)
    }
    for (const { source } of declarations.read(file).stars) {
      if (!source.startsWith('.')) lines.push(`- everything from ${source}`)
    }
  }
  const blocks = []
  for (const file of [...reached.keys()].sort()) {
    const { declared } = declarations.read(file)
    const known = seen.get(file) ?? new Set()
    const fresh = [...reached.get(file)].filter(name => !known.has(name)).sort()
    seen.set(file, new Set([...known, ...fresh]))
    const texts = fresh.flatMap(name => declared.get(name))
    const unique = [...new Set(texts.map(({ text }) => text))]
    if (unique.length === 0) continue
    blocks.push('', `### ${moduleName(file)}`, '', '```ts', unique.join('\n\n'), '```')
  }
  if (blocks.length > 0) lines.push('', '## Declarations', ...blocks)
  return `${lines.join('\n')}\n`
}

function describe(found, declarations, moduleName) {
  if (!found) return 'not found'
  const typeOnly = found.typeOnly ? ', as a type only' : ''
  if (found.from) return `${found.name} from ${found.from}${typeOnly}`
  if (found.name === '*') return `everything in ${moduleName(found.file)}${typeOnly}`
  const { kind } = declarations.read(found.file).declared.get(found.name)[0]
  const isType = kind === 'interface' || kind === 'type'
  return `${kind} ${found.name} in ${moduleName(found.file)}${isType ? '' : typeOnly}`
}

function diff(before, after) {
  const folder = mkdtempSync(join(tmpdir(), 'api-report-'))
  writeFileSync(join(folder, 'recorded'), before)
  writeFileSync(join(folder, 'now'), after)
  const command = ['diff', '--no-index', '--no-color', 'recorded', 'now']
  const { stdout } = spawnSync('git', command, { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return stdout
}

const update = process.argv.includes('--update')
runAsScript(import.meta.url, () =>
  withDeclarations(declared => checkApi(ROOT, { update, declared })),
)
