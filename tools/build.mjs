// Runs tsc for each package, and adds what no compiler makes: providers passed on, modules joined, the page of errors.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, normalize } from 'node:path'
import { moduleLiterals, parseFile } from './syntax.mjs'
import {
  listPackages,
  listProviders,
  passesProvidersOn,
  ROOT,
  runAsScript,
  TSC_OPTIONS,
} from './workspace.mjs'

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const JOIN = join(ROOT, 'tools/join-modules.mjs')

/** Compiles every package into its `dist`. A package that does not compile keeps the old one. */
export function build(root = ROOT) {
  const packages = listPackages(root)
  const faults = inOrder(packages)
    .filter(({ path }) => existsSync(join(path, 'tsconfig.build.json')))
    .flatMap(pkg => buildPackage(pkg, root))
  addErrorsPage(root)
  return faults
}

/** A package is compiled against the declarations of those that it uses, so these come first. */
function inOrder(packages) {
  const sorted = new Set()
  const add = pkg => {
    const { dependencies, peerDependencies } = pkg.manifest
    const isUsed = ({ name }) => name in { ...dependencies, ...peerDependencies }
    packages.filter(isUsed).forEach(add)
    sorted.add(pkg)
  }
  packages.forEach(add)
  return [...sorted]
}

// Messages point to this copy. Links to other pages would lead nowhere from there.
function addErrorsPage(root) {
  const page = join(root, 'docs/errors.md')
  const dist = join(root, 'packages/core/dist')
  if (!existsSync(page) || !existsSync(dist)) return
  const text = readFileSync(page, 'utf8')
  writeFileSync(join(dist, 'errors.md'), text.replaceAll(/\[([^\]]+)\]\((?!#)[^)]+\)/g, '$1'))
}

function buildPackage(pkg, root) {
  const { path } = pkg
  const tsc = spawnSync(
    process.execPath,
    [TSC, '-p', 'tsconfig.build.json', '--noEmitOnError', '--listEmittedFiles', ...TSC_OPTIONS],
    { cwd: path, encoding: 'utf8' },
  )
  if (tsc.status !== 0) return [`${path} does not compile\n${tsc.stdout}${tsc.stderr}`]
  // tsc prints real paths; a checkout may be behind a symbolic link.
  const dist = join(realpathSync(path), 'dist')
  const compiled = new Set(tsc.stdout.match(/(?<=^TSFILE: ).+$/gm)?.map(file => normalize(file)))
  const passedOn = new Set(passesProvidersOn(pkg) ? passProvidersOn(dist, root) : [])
  for (const file of filesIn(dist)) {
    if (compiled.has(file) && file.endsWith('.d.ts')) nameCompiledModules(file)
    else if (!compiled.has(file) && !passedOn.has(file)) rmSync(file)
  }
  const isJoined = JOINED.includes(pkg.folder) && pkg.manifest.exports
  return isJoined ? joinModules(path) : []
}

/** The packages that a server loads when it starts, and that say nothing to a framework per module. */
const JOINED = ['core', 'express', 'fastify', 'hono', 'nestjs', 'sveltekit']

function joinModules(path) {
  const { status, stderr } = spawnSync(process.execPath, [JOIN, path], { encoding: 'utf8' })
  return status === 0 ? [] : [`${path} cannot be joined\n${stderr}`]
}

/** Writes a module for each of core's providers, so that applications need to know one package. */
export function passProvidersOn(dist, root) {
  mkdirSync(join(dist, 'providers'), { recursive: true })
  return listProviders(root).flatMap(name => {
    const from = `'@siteauth/core/providers/${name}'`
    const text = `export * from ${from}\nexport { default } from ${from}\n`
    const files = ['js', 'd.ts'].map(ending => join(dist, `providers/${name}.${ending}`))
    for (const file of files) writeFileSync(file, text)
    return files
  })
}

// tsc writes './x.js' for './x.ts' in JavaScript but leaves declarations alone, and there is no
// x.ts beside a declaration.
function nameCompiledModules(file) {
  const { text, program } = parseFile(file)
  let result = text
  for (const literal of moduleLiterals(program).sort((a, b) => b.start - a.start)) {
    if (!literal.value.startsWith('.')) continue
    const compiled = literal.value.replace(/\.tsx?$/, '.js')
    result = `${result.slice(0, literal.start)}'${compiled}'${result.slice(literal.end)}`
  }
  if (result !== text) writeFileSync(file, result)
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

runAsScript(import.meta.url, build)
