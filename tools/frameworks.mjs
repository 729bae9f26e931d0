// Installs, builds and starts an application in each framework, and runs the conformance suite against it: minutes of
// work and gigabytes of packages, so it has a command of its own. See conformance/README.md.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listApplications, writeFrameworksPage } from './frameworks-page.mjs'
import { packPackages } from './packed.mjs'
import { listSources, outcomeLine, ROOT } from './workspace.mjs'

const CONFORMANCE = join(ROOT, 'conformance')
const CACHE = join(ROOT, 'node_modules/.cache/conformance')

function testFrameworks(names) {
  const applications = listApplications(CONFORMANCE)
  const unknown = names.filter(name => !applications.some(({ folder }) => folder === name))
  if (unknown.length > 0) throw new Error(`conformance/ has no ${unknown.join(', ')}.`)
  const packed = packPackages()
  const meant = applications.filter(({ folder }) => names.length === 0 || names.includes(folder))
  const outcomes = meant.map(application => {
    const started = performance.now()
    const passed = testFramework(application, packed)
    console.log(outcomeLine(application.folder, { passed, started }))
    return passed
  })
  writeFrameworksPage(ROOT)
  return outcomes.every(Boolean)
}

function testFramework(application, packed) {
  const { path, manifest } = application
  install(path, manifest.siteauth.packages, packed)
  return withOursListed(application, packed, () => buildAndTest(application))
}

/**
 * Frameworks look at what an application says to depend on. In the lock, ours would be archives of this machine, so
 * they are listed only for as long as it takes.
 */
export function withOursListed({ path, manifest }, packed, run) {
  const file = join(path, 'package.json')
  const text = readFileSync(file, 'utf8')
  const ours = manifest.siteauth.packages.map(name => [name, `file:${packed.get(name)}`])
  const dependencies = { ...manifest.dependencies, ...Object.fromEntries(ours) }
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies }, null, 2))
  try {
    return run()
  } finally {
    writeFileSync(file, text)
  }
}

function buildAndTest({ folder, path, manifest }) {
  if (manifest.scripts.build && !run('npm', ['run', 'build', '--silent'], { cwd: path })) {
    return false
  }
  const { passed, cases } = runSuite(folder)
  const results = {
    version: versionOf(path, manifest.siteauth.framework),
    lines: countLines(join(ROOT, 'packages', folder, 'src')),
    cases,
  }
  writeFileSync(join(path, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
  return passed
}

/** Runs the suite against an application that is built, as a script of its package.json starts it. */
export function runSuite(folder, script = 'start') {
  mkdirSync(CACHE, { recursive: true })
  const report = join(CACHE, `${folder}-${script.replace(':', '-')}.json`)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const passed = run(
    process.execPath,
    [
      ...[vitest, 'run', '--config', join(CONFORMANCE, 'vitest.config.ts')],
      ...['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    ],
    {
      cwd: ROOT,
      env: { ...process.env, CONFORMANCE_FOLDER: folder, CONFORMANCE_SCRIPT: script },
    },
  )
  return { passed, cases: casesIn(JSON.parse(readFileSync(report, 'utf8'))) }
}

/** Installs what the lock names, and ours on top of it, where either has changed since. */
export function install(path, ours, packed) {
  const archives = ours.map(name => {
    const archive = packed.get(name)
    if (!archive) throw new Error(`${path}/package.json names ${name}, which is none of ours.`)
    return archive
  })
  const lock = readFileSync(join(path, 'package-lock.json'))
  const state = createHash('sha256').update(lock).update(archives.join()).digest('hex')
  const marker = join(path, 'node_modules/.conformance')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === state) return
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const isInstalled =
    run('npm', ['ci', ...quiet], { cwd: path }) &&
    run('npm', ['install', '--no-save', ...quiet, ...archives], { cwd: path })
  if (!isInstalled) throw new Error(`npm could not install ${path}.`)
  writeFileSync(marker, state)
}

export function run(command, args, options) {
  return spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0
}

export function versionOf(path, name) {
  return JSON.parse(readFileSync(join(path, 'node_modules', name, 'package.json'), 'utf8')).version
}

/** How long a package is, without its comments and blank lines. */
function countLines(src) {
  return listSources(src)
    .flatMap(file => readFileSync(join(src, file), 'utf8').split('\n'))
    .filter(line => !/^\s*(\/\/|\/\*|\*|$)/.test(line)).length
}

/** What came out, by group and name: a case that runs with sessions of both kinds passes if it does with both. */
function casesIn({ testResults }) {
  const cases = {}
  const outcomes = testResults.flatMap(({ assertionResults }) => assertionResults)
  // Without Chromium, what needs it is skipped.
  const ran = outcomes.filter(({ status }) => status === 'passed' || status === 'failed')
  for (const { ancestorTitles, title, status } of ran) {
    const group = ancestorTitles.at(-1)
    cases[group] ??= {}
    cases[group][title] = status === 'passed' && (cases[group][title] ?? true)
  }
  return cases
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = testFrameworks(process.argv.slice(2)) ? 0 : 1
}
