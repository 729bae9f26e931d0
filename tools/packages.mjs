// Installs our packages as people do, with npm and with pnpm, and loads and compiles everything that they export. What
// this needs from the registry takes minutes, so it has a command of its own: npm run test:packages
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkFoundTypes } from './check.mjs'
import { packPackages } from './packed.mjs'
import { listPackages, listPublished, outcomeLine, ROOT } from './workspace.mjs'

const PNPM = 'pnpm@10'
const TYPESCRIPT = { 5.6: '5.6.3', 5.7: '5.7.3', 5.8: '5.8.3', 5.9: '5.9.3', '7.0': '7.0.2' }

/** What an application has beside ours: the frameworks, at the versions of our own tests, and types. */
const COMPANY = [
  ...['express', 'fastify', 'hono', '@nestjs/common', '@nestjs/core', 'rxjs', 'reflect-metadata'],
  ...['vue', 'svelte', 'solid-js'],
  ...['next', 'react', 'react-dom', '@types/react', '@types/express', '@types/node'],
]

/** What TypeScript is told, for applications that are not bundled, and for those that are. */
const RESOLUTIONS = {
  node: { module: 'CommonJS', moduleResolution: 'node' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'ESNext', moduleResolution: 'bundler' },
}
/** TypeScript 7 has dropped the oldest way to find declarations. */
const isKnown = (version, resolution) => !(version === '7.0' && resolution === 'node')

/** What can only be loaded where a framework compiles it or a test runner runs it, and what says that it is gone. */
const NEEDS_MORE = {
  // What Node makes of the scheme `astro:` depends on whether it is imported or required.
  '@siteauth/astro': /'astro:'|bug in Node\.js/,
  '@siteauth/next': /sub-path no longer exists/,
  '@siteauth/sveltekit': /\$app|\$env|@sveltejs\/kit|svelte/,
  '@siteauth/nuxt': /h3|#app|nuxt/,
  '@siteauth/react-router': /react-router/,
  '@siteauth/tanstack-start': /@tanstack/,
  '@siteauth/testing': /vitest|postal-mime|smtp-server|Vitest/,
}

const published = listPublished()
const faults = ['npm', 'pnpm'].flatMap(manager =>
  withApplication(manager, folder => testIn(manager, folder)),
)
const areTypesFound = await checkFoundTypes()
for (const fault of faults) console.log(fault)
process.exitCode = faults.length === 0 && areTypesFound ? 0 : 1

function withApplication(manager, test) {
  const folder = mkdtempSync(join(tmpdir(), `siteauth-${manager}-`))
  try {
    const archives = Object.fromEntries(
      [...packPackages()].map(([name, archive]) => [name, `file:${archive}`]),
    )
    const compilers = Object.entries(TYPESCRIPT).map(([name, version]) => [
      `typescript-${name}`,
      `npm:typescript@${version}`,
    ])
    const manifest = {
      name: 'application',
      private: true,
      type: 'module',
      dependencies: {
        ...archives,
        ...Object.fromEntries([...COMPANY.map(versionOf), ...compilers]),
      },
      // Ours are not in the registry yet, where they would look for one another.
      pnpm: { overrides: archives },
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
    const quiet = { cwd: folder, stdio: 'pipe' }
    if (manager === 'npm') execFileSync('npm', ['install', '--no-audit', '--no-fund'], quiet)
    else execFileSync('npx', ['--yes', PNPM, 'install', '--silent'], quiet)
    return test(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function versionOf(name) {
  const manifests = [...listPackages(), { path: ROOT }].map(({ path }) =>
    JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')),
  )
  const found = manifests.map(({ devDependencies }) => devDependencies?.[name]).find(Boolean)
  return [name, found?.startsWith('npm:') ? 'latest' : (found ?? 'latest')]
}

function testIn(manager, folder) {
  return [
    ...timed(`${manager}, import`, () => faultsOfLoading(folder, 'import')),
    ...timed(`${manager}, require`, () => faultsOfLoading(folder, 'require')),
    ...Object.keys(TYPESCRIPT).flatMap(version =>
      Object.entries(RESOLUTIONS)
        .filter(([resolution]) => isKnown(version, resolution))
        .flatMap(([resolution, options]) =>
          timed(`${manager}, TypeScript ${version}, ${resolution}`, () =>
            faultsOfTypes(folder, version, options),
          ),
        ),
    ),
  ]
}

function timed(name, test) {
  const started = performance.now()
  const found = test()
  console.log(outcomeLine(name, { passed: found.length === 0, started }))
  return found.map(fault => `${name}: ${fault}`)
}

/** What can be imported of a package, with two members of what is a pattern. */
function entriesOf({ manifest }) {
  const keys = Object.keys(manifest.exports).filter(key => key !== './package.json')
  const all = keys.flatMap(key => ['github', 'credentials'].map(each => key.replace('*', each)))
  return [...new Set(all)].map(key => manifest.name + key.slice(1))
}

function faultsOfLoading(folder, way) {
  const entries = published.filter(({ manifest }) => !manifest.bin).flatMap(entriesOf)
  // The last: where one fails half way, Node keeps what it imports in that state.
  entries.sort((one, other) => Number(needsMore(one)) - Number(needsMore(other)))
  const load = way === 'import' ? 'await import(entry)' : 'createRequire(import.meta.url)(entry)'
  const script = `
    import { createRequire } from 'node:module'
    for (const entry of ${JSON.stringify(entries)}) {
      try { ${load} } catch (error) { console.log(JSON.stringify([entry, String(error.message).split('\\n')[0]])) }
    }
    process.exit()`
  writeFileSync(join(folder, 'load.mjs'), script)
  const { stdout, stderr, status } = spawnSync(process.execPath, ['load.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const failed = stdout
    .split('\n')
    .filter(line => line.startsWith('['))
    .map(line => JSON.parse(line))
    .filter(([entry, message]) => !mayLack(entry, message))
  return [
    ...failed.map(([entry, message]) => `${entry}: ${message}`),
    ...(status === 0 ? [] : [stderr]),
  ]
}

function needsMore(entry) {
  return Object.keys(NEEDS_MORE).some(name => entry.startsWith(name))
}

function mayLack(entry, message) {
  const [, words] = Object.entries(NEEDS_MORE).find(([name]) => entry.startsWith(name)) ?? []
  return words?.test(message) === true
}

function faultsOfTypes(folder, version, options) {
  const lines = published
    .filter(({ manifest }) => !manifest.bin)
    .flatMap(entriesOf)
    .map((entry, index) => `export * as m${index} from '${entry}'`)
  writeFileSync(join(folder, 'all.ts'), lines.join('\n'))
  const compilerOptions = {
    ...{ target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: ['node'] },
    ...{ strict: true, skipLibCheck: true, noEmit: true, ...options },
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['all.ts'] }),
  )
  const tsc = join(folder, 'node_modules', `typescript-${version}`, 'bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  return stdout.split('\n').filter(line => line.includes('error'))
}
