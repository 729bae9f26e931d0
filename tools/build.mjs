import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { moduleLiterals, parseFile } from './syntax.mjs'
import { listPackages, ROOT, runAsScript } from './workspace.mjs'

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** Compiles every package into its `dist`. A package that does not compile keeps the old one. */
export function build(root = ROOT) {
  const faults = listPackages(root)
    .filter(({ path }) => existsSync(join(path, 'tsconfig.build.json')))
    .flatMap(({ path }) => buildPackage(path))
  addErrorsPage(root)
  return faults
}

// Messages point to this copy. Links to other pages would lead nowhere from there.
function addErrorsPage(root) {
  const page = join(root, 'docs/errors.md')
  const dist = join(root, 'packages/core/dist')
  if (!existsSync(page) || !existsSync(dist)) return
  const text = readFileSync(page, 'utf8')
  writeFileSync(join(dist, 'errors.md'), text.replaceAll(/\[([^\]]+)\]\((?!#)[^)]+\)/g, '$1'))
}

function buildPackage(path) {
  const tsc = spawnSync(
    process.execPath,
    [TSC, '-p', 'tsconfig.build.json', '--noEmitOnError', '--listEmittedFiles'],
    { cwd: path, encoding: 'utf8' },
  )
  if (tsc.status !== 0) return [`${path} does not compile\n${tsc.stdout}${tsc.stderr}`]
  const written = new Set(tsc.stdout.match(/(?<=^TSFILE: ).+$/gm)?.map(file => normalize(file)))
  // tsc prints real paths; a checkout may be behind a symbolic link.
  for (const file of filesIn(join(realpathSync(path), 'dist'))) {
    if (!written.has(file)) rmSync(file)
    else if (file.endsWith('.d.ts')) nameCompiledModules(file)
  }
  return []
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
