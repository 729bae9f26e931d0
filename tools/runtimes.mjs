// Runs one built application on each runtime, all of which npm installs, and the conformance suite against it: a gigabyte
// of packages, so it has a command of its own. See conformance/README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, run, runSuite, versionOf } from './frameworks.mjs'
import { tableOf } from './frameworks-page.mjs'
import { packPackages } from './packed.mjs'
import { outcomeLine, ROOT } from './workspace.mjs'

const FOLDER = 'runtimes'
const PATH = join(ROOT, 'conformance', FOLDER)
const RESULTS = join(PATH, 'results.json')
const { packages, runtimes } = JSON.parse(readFileSync(join(PATH, 'package.json'), 'utf8')).siteauth

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(runtimes)
const unknown = names.filter(name => !(name in runtimes))
if (unknown.length > 0) throw new Error(`conformance/runtimes has no ${unknown.join(', ')}.`)

install(PATH, packages, packPackages())
if (!run('npm', ['run', 'build', '--silent'], { cwd: PATH })) throw new Error('The build failed.')
const results = JSON.parse(readFileSync(RESULTS, 'utf8'))
for (const name of names) {
  const started = performance.now()
  const { passed, cases } = runSuite(FOLDER, `start:${name}`)
  results[name] = { version: versionOf(PATH, runtimes[name].package), cases }
  console.log(outcomeLine(runtimes[name].title, { passed, started }))
  if (!passed) process.exitCode = 1
}
writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
writeFileSync(join(ROOT, 'docs/runtimes.md'), pageOf(results))

function pageOf(results) {
  const tested = Object.entries(runtimes)
    .filter(([name]) => results[name])
    .map(([name, { title }]) => ({ title, ...results[name] }))
  const groups = [...new Set(tested.flatMap(({ cases }) => Object.keys(cases)))]
  const count = ({ cases }) => {
    const outcomes = Object.values(cases).flatMap(group => Object.values(group))
    return `${outcomes.filter(Boolean).length} of ${outcomes.length}`
  }
  return [
    '# Runtimes',
    '',
    '<!-- Written by npm run test:runtimes. -->',
    '',
    'One application, from the packages as npm would publish them, on each runtime as npm installs it, put through the',
    'conformance suite over HTTP: once with sessions in cookies and once with sessions in a database. workerd, which runs',
    'Cloudflare Workers, runs it without `nodejs_compat`. `npm run test:runtimes` repeats it.',
    '',
    '| Runtime | Version | Cases passed |',
    '|---|---|--:|',
    ...tested.map(each => `| ${each.title} | ${each.version} | ${count(each)} |`),
    ...groups.flatMap(group => ['', ...tableOf(group, tested)]),
    '',
  ].join('\n')
}
