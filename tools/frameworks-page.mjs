import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The applications under `conformance`, in alphabetical order. */
export function listApplications(conformance) {
  return readdirSync(conformance)
    .sort()
    .map(folder => ({ folder, path: join(conformance, folder) }))
    .filter(({ path }) => existsSync(join(path, 'package.json')))
    .map(application => ({ ...application, manifest: readJson(application.path, 'package.json') }))
    .filter(({ manifest }) => manifest.siteauth.framework)
}

/** Writes docs/frameworks.md from the results of the latest run of each application. */
export function writeFrameworksPage(root) {
  const tested = listApplications(join(root, 'conformance'))
    .filter(({ path }) => existsSync(join(path, 'results.json')))
    .map(({ folder, path, manifest }) => ({
      folder,
      title: manifest.siteauth.title,
      ...readJson(path, 'results.json'),
    }))
  writeFileSync(join(root, 'docs/frameworks.md'), pageOf(tested))
}

function pageOf(tested) {
  const groups = [...new Set(tested.flatMap(({ cases }) => Object.keys(cases)))]
  return [
    '# Frameworks',
    '',
    '<!-- Written by npm run test:frameworks. -->',
    '',
    'Each package is tested in its framework: an application is installed from the packages as npm would publish them, built,',
    'started, and put through the conformance suite over HTTP, once with sessions in cookies and once with sessions in a',
    'database. The applications are in [conformance](../conformance/README.md); `npm run test:frameworks` repeats it. It also builds',
    'and starts [the example](../examples/README.md) of each, with the same packages, and walks through it in Chromium.',
    'The one for Next.js is of another shape, and has a test of its own.',
    '',
    '| Framework | Version | Package | Lines of code | Cases passed |',
    '|---|---|---|--:|--:|',
    ...tested.map(rowOf),
    '',
    'Lines are those of the package itself, without comments and blank lines.',
    ...groups.flatMap(group => ['', ...tableOf(group, tested)]),
    '',
  ].join('\n')
}

function rowOf({ folder, title, version, lines, cases }) {
  const outcomes = Object.values(cases).flatMap(group => Object.values(group))
  const passed = `${outcomes.filter(Boolean).length} of ${outcomes.length}`
  return `| ${title} | ${version} | [\`@siteauth/${folder}\`](../packages/${folder}) | ${lines} | ${passed} |`
}

/** Which of the tested passes which case of a group. */
export function tableOf(group, tested) {
  const names = [...new Set(tested.flatMap(({ cases }) => Object.keys(cases[group] ?? {})))]
  const mark = outcome => (outcome === undefined ? '' : outcome ? '✓' : '✗')
  return [
    `## ${group[0].toUpperCase()}${group.slice(1)}`,
    '',
    `| | ${tested.map(({ title }) => title).join(' | ')} |`,
    `|---|${tested.map(() => ':-:').join('|')}|`,
    ...names.map(
      name => `| ${name} | ${tested.map(({ cases }) => mark(cases[group]?.[name])).join(' | ')} |`,
    ),
  ]
}

function readJson(folder, file) {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'))
}
