// How many names each entry exports, by the API reports: once at a commit, and now. npm run names -- <commit>
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFile } from './syntax.mjs'
import { isInternal, listPackages, ROOT } from './workspace.mjs'

/** The names that the entries of reports export: a set for each entry. */
export function namesInReports(texts) {
  const sections = texts.flatMap(text =>
    text.split('\n## Declarations\n')[0].split('\n### ').slice(1),
  )
  const own = new Map(
    sections.map(section => {
      const [entry, ...lines] = section.split('\n')
      return [entry.trim(), lines]
    }),
  )
  // Some entries pass on everything that another has.
  const namesOf = (entry, lines = own.get(entry) ?? []) =>
    lines.flatMap(line => {
      const [, name] = line.match(/^- ([^:]+): /) ?? []
      const [, whole] = line.match(/^- everything from (.+)$/) ?? []
      return name ? [name] : whole ? namesOf(whole) : []
    })
  return new Map([...own].map(([entry]) => [entry, new Set(namesOf(entry))]))
}

/** The rows of a table: entries that export another number of names than before, and all of core. */
export function compareNames(before, now) {
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap(entry => {
    const [old, current] = [before.get(entry), now.get(entry)]
    const isSame = old?.size === current?.size
    return isSame && !/^@siteauth\/core(?:\/\w+)?$/.test(entry)
      ? []
      : [{ entry, before: old?.size ?? 0, now: current?.size ?? 0 }]
  })
}

function namesAt(commit) {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  const reports = git('ls-tree', '-r', '--name-only', commit, 'packages')
    .split('\n')
    .filter(file => /^packages\/[\w-]+\/[\w-]+\.api\.md$/.test(file))
  return withoutProviders(namesInReports(reports.map(file => git('show', `${commit}:${file}`))))
}

function namesNow() {
  const reports = listPackages(ROOT)
    .flatMap(({ path, folder }) =>
      [`${folder}.api.md`, 'providers.api.md'].map(name => join(path, name)),
    )
    .filter(existsSync)
  return withoutProviders(namesInReports(reports.map(file => readFileSync(file, 'utf8'))))
}

/** Internal entries are in no report. */
function internalNames() {
  const entries = listPackages(ROOT).flatMap(({ name, path, manifest }) =>
    Object.keys(manifest.exports ?? {})
      .filter(isInternal)
      .map(key => {
        const { body } = parseFile(join(path, 'src', `${key.slice(2)}.ts`)).program
        const names = body.flatMap(({ specifiers = [] }) =>
          specifiers.map(({ exported }) => exported.name),
        )
        return [name + key.slice(1), new Set(names)]
      }),
  )
  return new Map(entries)
}

/** Providers have an entry each, and more come every month. */
function withoutProviders(entries) {
  return new Map([...entries].filter(([entry]) => !entry.includes('/providers')))
}

function print(rows) {
  console.log('| Entry | before | now |\n|---|---|---|')
  for (const { entry, before, now } of rows) console.log(`| \`${entry}\` | ${before} | ${now} |`)
}

function sum(entries) {
  return [...entries.values()].reduce((total, names) => total + names.size, 0)
}

if (import.meta.filename === process.argv[1]) {
  const [commit = 'HEAD'] = process.argv.slice(2)
  const [before, now, internal] = [namesAt(commit), namesNow(), internalNames()]
  print([
    ...compareNames(before, now),
    { entry: 'all entries but those of providers', before: sum(before), now: sum(now) },
    ...[...internal].map(([entry, names]) => ({ entry, before: 0, now: names.size })),
  ])
}
