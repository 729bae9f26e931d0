// `npm query` knows the packages too, but takes longer than most checks.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** For tsc: several threads check some types each for themselves, a fifth more in all, and two cores have enough to do. */
export const TSC_OPTIONS = availableParallelism() > 2 ? [] : ['--singleThreaded']

/** The packages of the workspace, in alphabetical order. */
export function listPackages(root = ROOT) {
  return readdirSync(join(root, 'packages'))
    .sort()
    .filter(folder => existsSync(join(root, 'packages', folder, 'package.json')))
    .map(folder => {
      const path = join(root, 'packages', folder)
      const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
      return { folder, path, manifest, name: manifest.name }
    })
}

/** Those that others can import something from. */
export function listPublished() {
  return listPackages().filter(({ manifest }) => manifest.exports && !manifest.private)
}

/**
 * The names of the examples that are not of the workspace, since their frameworks are large. Their start pages show
 * their files, and `npm run test:frameworks` compiles and runs them.
 */
export function listExamples(root = ROOT) {
  const folder = join(root, 'examples')
  if (!existsSync(folder)) return []
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return readdirSync(folder)
    .sort()
    .filter(name => existsSync(join(folder, name, 'package.json')))
    .filter(name => !workspaces.includes(`examples/${name}`))
}

/** The example whose files a document shows, or undefined. */
export function exampleShownBy(file, root = ROOT) {
  return listExamples(root).find(name => file === `docs/start/${name}.md`)
}

/** TypeScript sources under `folder`, relative to it, tests left out. */
export function listSources(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .sort()
}

/** The sub-path under which a package has the providers. */
export const PROVIDERS = './providers/*'

/** Whether a sub-path is for our own packages alone, without a promise: docs/stability.md. */
export function isInternal(key) {
  return /^\.\/internal(?:\/|$)/.test(key)
}

/** Whether a package hands core's providers on under its own name. */
export function passesProvidersOn({ path, manifest }) {
  const isOwn = existsSync(join(path, 'src/providers'))
  const uses = manifest.dependencies?.['@siteauth/core'] !== undefined
  return PROVIDERS in (manifest.exports ?? {}) && !isOwn && uses
}

/** The names of core's providers. */
export function listProviders(root = ROOT) {
  return listSources(join(root, 'packages/core/src/providers')).map(file => file.slice(0, -3))
}

/** When the file at `url` was started as a script: prints the problems found, fails if any. */
export async function runAsScript(url, findProblems) {
  if (process.argv[1] !== fileURLToPath(url)) return
  const problems = await findProblems()
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}

/** What is printed for a check: its name, what came out, and how long that took. */
export function outcomeLine(name, { passed, started }) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return `${name.padEnd(18)} ${passed ? 'ok' : 'failed'}  ${seconds} s`
}
