// publint and attw look at what was built. This holds `exports` to the sources, and names the cure.
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import {
  listPackages,
  listSources,
  PROVIDERS,
  passesProvidersOn,
  ROOT,
  runAsScript,
} from './workspace.mjs'

const CONDITIONS = ['types', 'default']
const PRIVATE = 'lib/'

/** Differences between each package's `exports` and the public files of its `src`. */
export function checkExports(root = ROOT) {
  return listPackages(root).flatMap(pkg =>
    problemsOf(pkg).map(problem => `packages/${pkg.folder}/package.json: ${problem}`),
  )
}

function problemsOf(pkg) {
  const exported = pkg.manifest.exports ?? {}
  const sources = listSources(join(pkg.path, 'src')).filter(file => !file.startsWith(PRIVATE))
  const problems = Object.entries(exported).flatMap(([key, target]) =>
    entryProblems(pkg, key, target),
  )
  const commands = Object.values(pkg.manifest.bin ?? {})
  for (const source of sources) {
    const key = keyOf(source)
    const isCommand = commands.some(path => posix.normalize(path) === `dist/${stem(source)}.js`)
    const isExported = key in exported || `${posix.dirname(key)}/*` in exported
    if (!isCommand && !isExported) {
      problems.push(
        `src/${source} is public but "${key}" is not in exports; private code goes in src/lib`,
      )
    }
  }
  return problems
}

function entryProblems(pkg, key, target) {
  if (target === null || key === './package.json') return []
  if (key.startsWith(`./${PRIVATE}`)) return [`"${key}" exports private code`]
  if (key === PROVIDERS && passesProvidersOn(pkg)) return providerProblems(key, target)
  const conditions = Object.keys(target)
  if (conditions.join() !== CONDITIONS.join()) {
    return [
      `"${key}" must have ${CONDITIONS.join(', ')} in that order, has ${conditions.join(', ')}`,
    ]
  }
  const source = sourceOf(pkg, key)
  if (!source) return isAlias(pkg, key) ? [] : [`"${key}" has no source in src`]
  const expected = [`./dist/${stem(source)}.d.ts`, `./dist/${stem(source)}.js`]
  return CONDITIONS.flatMap((condition, index) =>
    target[condition] === expected[index]
      ? []
      : [`"${key}" ${condition} must be ${expected[index]}, is ${target[condition]}`],
  )
}

/** Whether this is another name for what has a source under its own. */
function isAlias(pkg, key) {
  const { [key]: target, ...others } = pkg.manifest.exports
  return Object.entries(others).some(
    ([other, { default: file } = {}]) => file === target.default && sourceOf(pkg, other),
  )
}

// These modules have no source: the build writes them from core's.
function providerProblems(key, target) {
  const expected = { types: './dist/providers/*.d.ts', default: './dist/providers/*.js' }
  const isSame = JSON.stringify(target) === JSON.stringify(expected)
  return isSame ? [] : [`"${key}" must be ${JSON.stringify(expected)}`]
}

function sourceOf(pkg, key) {
  const src = join(pkg.path, 'src')
  if (key.endsWith('/*'))
    return existsSync(join(src, key.slice(0, -2))) ? `${key.slice(2)}.ts` : null
  return listSources(src).find(file => keyOf(file) === key) ?? null
}

function keyOf(source) {
  const path = stem(source)
  if (path === 'index') return '.'
  return `./${path.replace(/\/index$/, '')}`
}

function stem(source) {
  return source.replace(/\.tsx?$/, '')
}

runAsScript(import.meta.url, checkExports)
