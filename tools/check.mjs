import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listPackages, listProviders, passesProvidersOn, ROOT } from './workspace.mjs'

/** Builds the packages. Answers whether that worked. */
export function buildPackages() {
  return run('build', 'node tools/build.mjs')
}

/**
 * Runs every check that needs no service, one line each. Answers whether all of them passed.
 *
 * @param {Promise<boolean>} building what `buildPackages` answered
 */
export async function runChecks(building) {
  const [sources, built] = await Promise.all([checkSources(), checkBuilt(building)])
  return sources && built
}

async function checkSources() {
  return runAll([
    ['types', 'tsc -p tsconfig.workspace.json'],
    ['format and lint', 'biome check --colors=off --error-on-warnings .'],
    ['layers', 'node tools/check-layers.mjs'],
    ['exports', 'node tools/check-exports.mjs'],
    ['unused code', 'knip --no-progress'],
    ['documents', 'node tools/check-docs.mjs'],
  ])
}

async function checkBuilt(building) {
  if (!(await building)) {
    console.log(
      'not run, for want of a build: api report and reference, links, examples, publint, attw',
    )
    return false
  }
  return runAll([
    ['api report', 'node tools/api-report.mjs'],
    ['api reference', 'node tools/api-docs.mjs'],
    ['links', 'node tools/check-links.mjs'],
    ['examples', 'node tools/check-examples.mjs'],
    ...typeTests().map(folder => ['types for users', `tsc -p ${folder}`]),
    ...listPackages()
      .filter(({ manifest }) => manifest.exports && !manifest.private)
      .flatMap(pkg => [
        [`publint ${pkg.folder}`, `publint packages/${pkg.folder} --strict`],
        [`attw ${pkg.folder}`, `attw --pack packages/${pkg.folder} ${attwOptions(pkg)}`],
      ]),
  ])
}

/** Small applications that are compiled against the published declarations. */
function typeTests() {
  return listPackages()
    .map(({ path }) => join(path, 'test/types'))
    .filter(existsSync)
    .flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
}

// attw passes over patterns such as "./providers/*", so their members are named one by one.
function attwOptions(pkg) {
  const members = Object.keys(pkg.manifest.exports)
    .filter(key => key.endsWith('/*'))
    .flatMap(key =>
      (passesProvidersOn(pkg) ? listProviders() : listMembers(pkg, key)).map(member =>
        key.replace('*', member),
      ),
    )
  const included = members.length > 0 ? ` --include-entrypoints ${members.join(' ')}` : ''
  // Servers that compile to CommonJS are often still on TypeScript's oldest way to find declarations.
  const profile = pkg.manifest.typesVersions
    ? '--profile strict --ignore-rules cjs-resolves-to-esm'
    : '--profile esm-only'
  return `${profile} --format ascii${included}`
}

function listMembers({ path }, key) {
  return readdirSync(join(path, 'src', key.slice(0, -2)))
    .filter(file => /^(?!index\.).+(?<!\.test)\.tsx?$/.test(file))
    .map(file => file.replace(/\.tsx?$/, ''))
}

async function runAll(checks) {
  let passed = true
  for (const [name, command] of checks) passed = (await run(name, command)) && passed
  return passed
}

function run(name, command) {
  const started = performance.now()
  const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = spawn(command, { cwd: ROOT, shell: true, env: { ...process.env, PATH } })
  const output = []
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  return new Promise(resolve => {
    child.on('close', code => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      console.log(`${name.padEnd(18)} ${code === 0 ? 'ok' : 'failed'}  ${seconds} s`)
      if (code !== 0) console.log(`$ ${command}\n${Buffer.concat(output)}`)
      resolve(code === 0)
    })
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await runChecks(buildPackages())) ? 0 : 1
}
