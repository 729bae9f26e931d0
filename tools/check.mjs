// Programs are started by a script rather than a task runner: it has two lists, and prints a line for each check.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packPackages } from './packed.mjs'
import { listPackages, listPublished, outcomeLine, ROOT, TSC_OPTIONS } from './workspace.mjs'

/** Builds the packages, and packs them as they would be published. Answers whether that worked. */
export async function buildPackages() {
  return (await run('build', 'node tools/build.mjs')) && run('pack', 'node tools/packed.mjs')
}

/**
 * Runs every check that needs no service, one line each. Answers whether all of them passed.
 *
 * @param {Promise<boolean>} building what `buildPackages` answered
 */
export async function runChecks(building) {
  const [sources, published] = await Promise.all([checkSources(), checkPublished(building)])
  return sources && published
}

/** What can be said of the sources without a build. Two at a time, of about the same length. */
async function checkSources() {
  const cache = 'node_modules/.cache/types.tsbuildinfo'
  const types = `tsc -p tsconfig.workspace.json --incremental --tsBuildInfoFile ${cache}`
  const lanes = await Promise.all([
    runAll([
      ['types', [types, ...TSC_OPTIONS].join(' ')],
      ['unused code', 'knip --no-progress --cache'],
    ]),
    runAll([
      ['format and lint', 'node tools/lint.mjs'],
      ['', 'node tools/check-own.mjs'],
    ]),
  ])
  return lanes.every(Boolean)
}

/** What needs a build, and takes longer. */
async function checkPublished(building) {
  if (!(await building)) {
    console.log('not run, for want of a build: examples, types for users, publint')
    return false
  }
  return runAll([
    ['examples', 'node tools/check-examples.mjs'],
    ...typeTests().map(folder => ['types for users', ['tsc -p', folder, ...TSC_OPTIONS].join(' ')]),
    ['publint', 'node tools/publint.mjs'],
  ])
}

/** Whether TypeScript finds every declaration that we publish, however it looks for it: seconds for each package. */
export function checkFoundTypes(packed = packPackages()) {
  return runAll(
    listPublished().map(pkg => [
      `attw ${pkg.folder}`,
      `attw ${packed.get(pkg.name)} ${attwOptions(pkg)}`,
    ]),
  )
}

/** Small applications that are compiled against the published declarations. */
function typeTests() {
  return listPackages()
    .map(({ path }) => join(path, 'test/types'))
    .filter(existsSync)
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
}

// attw passes over patterns such as "./providers/*". A pattern is right or wrong for all of its members, so
// two are named: each takes a second.
function attwOptions(pkg) {
  const members = Object.keys(pkg.manifest.exports)
    .filter(key => key.endsWith('/*'))
    .flatMap(key => ['github', 'credentials'].map(member => key.replace('*', member)))
  const included = members.length > 0 ? ` --include-entrypoints ${members.join(' ')}` : ''
  // Servers that compile to CommonJS are often still on TypeScript's oldest way to find declarations.
  const profile = pkg.manifest.typesVersions
    ? '--profile strict --ignore-rules cjs-resolves-to-esm'
    : '--profile esm-only'
  return `${profile} --format ascii${included}`
}

async function runAll(checks) {
  let passed = true
  for (const [name, command] of checks) passed = (await run(name, command)) && passed
  return passed
}

/** Runs a command. One without a name says itself what came out. */
function run(name, command) {
  const started = performance.now()
  const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = spawn(command, { cwd: ROOT, shell: true, env: { ...process.env, PATH } })
  const output = []
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  return new Promise(resolve => {
    child.on('close', code => {
      const passed = code === 0
      if (name) console.log(outcomeLine(name, { passed, started }))
      if (!passed && name) console.log(`$ ${command}`)
      if (!passed || !name) console.log(`${Buffer.concat(output)}`.trimEnd())
      resolve(passed)
    })
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await checkSources()) ? 0 : 1
}
