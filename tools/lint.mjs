// Biome has no cache, and most files have not changed since they last passed: they are known by what is in them.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ROOT } from './workspace.mjs'

const CACHE = join(ROOT, 'node_modules/.cache/biome.json')
const CONFIG = join(ROOT, 'biome.json')
/** What one call may name: a command line has a limit. */
const AT_ONCE = 500

const biome = createRequire(import.meta.url)('@biomejs/biome/package.json')
const seal = digest(biome.version, readFileSync(CONFIG))
const known = new Set(readCache())
const passed = []
const unknown = []
for (const file of listFiles()) {
  const content = digest(seal, file, readFileSync(join(ROOT, file)))
  if (known.has(content)) passed.push(content)
  else unknown.push({ file, content })
}

for (let from = 0; from < unknown.length; from += AT_ONCE) {
  const some = unknown.slice(from, from + AT_ONCE)
  if (lint(some.map(({ file }) => file))) passed.push(...some.map(({ content }) => content))
  else process.exitCode = 1
}
mkdirSync(dirname(CACHE), { recursive: true })
writeFileSync(CACHE, JSON.stringify(passed))

function listFiles() {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const stdout = execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const names = [...new Set(stdout.split('\0'))].filter(Boolean)
  // Of deleted files, git still knows the names.
  return names.filter(name => statSync(join(ROOT, name), { throwIfNoEntry: false })?.isFile())
}

function lint(files) {
  const words = ['check', '--colors=off', '--error-on-warnings', '--no-errors-on-unmatched']
  return (
    spawnSync('biome', [...words, '--', ...files], { cwd: ROOT, stdio: 'inherit' }).status === 0
  )
}

function readCache() {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'))
  } catch {
    return []
  }
}

function digest(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('base64url')
}
