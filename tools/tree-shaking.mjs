// Shows that whoever imports one name of a package does not get the rest of it, and what an import leaves behind that
// nothing is done with: `sideEffects: false` says that it can go. Writes bench/results/tree-shaking.md.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rollup } from 'rollup'
import { listPackages, ROOT } from './workspace.mjs'

const OAUTH = 'code_challenge_method'
const PAGES = 'name="viewport"'
const PASSKEYS = 'generateRegistrationOptions'
const REVOCATION = 'function openRevocationView'
const REMOTE = [OAUTH, PAGES, PASSKEYS, 'nodemailer', REVOCATION]

/** What somebody imports, and words that tell of code which they did not ask for. */
const ROWS = [
  { from: '@siteauth/core', name: 'createAuth', provider: 'credentials', absent: REMOTE },
  { from: '@siteauth/core', name: 'createAuth', provider: 'github', absent: REMOTE },
  { from: '@siteauth/core/jwt', name: 'getToken', absent: [...REMOTE, 'AUTH_URL'] },
  { from: '@siteauth/core/errors', name: 'AuthError', absent: [...REMOTE, 'encrypt'] },
  { from: '@siteauth/adapters/memory', name: 'MemoryAdapter', absent: ['INSERT INTO', 'XADD'] },
  { from: '@siteauth/express', name: 'getSession', absent: REMOTE },
  { from: '@siteauth/hono', name: 'SiteAuth', absent: [...REMOTE, 'initAuthConfig'] },
  { from: '@siteauth/hono', name: 'verifyAuth', absent: [...REMOTE, 'auth.handler is mounted'] },
  { from: '@siteauth/fastify', name: 'SiteAuth', absent: REMOTE },
  { from: '@siteauth/react-router', name: 'SiteAuth', absent: REMOTE },
  { from: '@siteauth/react', name: 'getCsrfToken', absent: ['createElement', 'createContext'] },
  { from: '@siteauth/next', name: 'AuthError', absent: [...REMOTE, 'x-middleware-next'] },
]

/** What nobody bundles: the kit for tests, and NestJS, whose decorators change classes, though only our own. */
const NOT_BUNDLED = ['@siteauth/testing', '@siteauth/nestjs']

/** Compute constants when they are loaded, which Rollup cannot tell from effects. */
const WITH_CONSTANTS = [
  ...['memory', 'mysql', 'postgres', 'redis', 'sqlite'].map(store => `@siteauth/adapters/${store}`),
  ...[
    '@siteauth/astro',
    '@siteauth/core/adapters',
    '@siteauth/core/internal/config',
    '@siteauth/core/internal/endpoints',
    '@siteauth/express',
    '@siteauth/nuxt',
  ],
]

const faults = [...(await faultsOfBareImports()), ...(await faultsOfRows())]
for (const fault of faults) console.log(fault)
process.exitCode = faults.length > 0 ? 1 : 0

/** The packages are not taken at their word: all that they are made of is searched for effects. */
async function faultsOfBareImports() {
  const packages = listPackages().filter(({ manifest }) => isBundled(manifest))
  const entries = packages.flatMap(({ name, manifest }) =>
    Object.entries(manifest.exports)
      .filter(
        ([key, { default: file }]) => file && !key.includes('*') && !hasEffects(manifest, file),
      )
      .map(([key]) => name + key.slice(1))
      .filter(entry => !WITH_CONSTANTS.includes(entry)),
  )
  const found = await Promise.all(
    entries.map(async entry => {
      const { now } = await bundle(`import '${entry}'`)
      return now.trim() === ''
        ? []
        : [`import '${entry}' leaves code behind:\n${now.slice(0, 600)}`]
    }),
  )
  return found.flat()
}

function isBundled({ private: isPrivate, exports, bin, name }) {
  return !isPrivate && exports && !bin && !NOT_BUNDLED.includes(name)
}

function hasEffects({ sideEffects }, file) {
  return Array.isArray(sideEffects) && sideEffects.includes(file)
}

async function faultsOfRows() {
  const rows = await Promise.all(
    ROWS.map(async row => {
      const { from, name, provider } = row
      const { now, later } = await bundle(codeOf(row))
      const all = await bundle(`export * from '${from}'`)
      const present = row.absent.filter(word => now.includes(word))
      const title = `\`${name}\` of \`${from}\`${provider ? ` with ${provider}` : ''}`
      return { title, present, sizes: [now, all.now, later].map(kilobytes) }
    }),
  )
  const table = [
    '| Imported | kB | with every name of the entry | loaded later, if at all |',
    '|---|--:|--:|--:|',
    ...rows.map(({ title, sizes }) => `| ${title} | ${sizes.join(' | ')} |`),
  ]
  const text = [
    '# What one name brings along',
    '',
    ...table,
    '',
    'Gzipped, not minified, our own code only.',
    '',
  ]
  writeFileSync(join(ROOT, 'bench/results/tree-shaking.md'), text.join('\n'))
  console.log(table.join('\n'))
  return rows.flatMap(({ title, present }) =>
    present.map(word => `${title} brings code along that has to do with "${word}"`),
  )
}

function codeOf({ from, name, provider }) {
  if (!provider) return `export { ${name} } from '${from}'`
  return `import { ${name} } from '${from}'
    import Provider from '${from}/providers/${provider}'
    export const auth = ${name}({ providers: [Provider] })`
}

/** The code of a module that is loaded at once, and that of what it may load later. */
async function bundle(code) {
  const ENTRY = '\0entry'
  const own = {
    name: 'own',
    resolveId(id, importer) {
      if (id === ENTRY) return id
      if (/^\.|^\//.test(id)) return null
      if (!/^(@siteauth\/|#)/.test(id)) return { id, external: true, moduleSideEffects: false }
      const from = importer && importer !== ENTRY ? importer : join(ROOT, 'package.json')
      return createRequire(from).resolve(id)
    },
    load: id => (id === ENTRY ? code : null),
  }
  // To read a property of a module of Node changes nothing.
  const treeshake = { propertyReadSideEffects: false }
  const made = await rollup({ input: ENTRY, plugins: [own], treeshake, onwarn() {} })
  const { output } = await made.generate({ format: 'es' })
  const chunks = new Map(output.map(chunk => [chunk.fileName, chunk]))
  const first = new Set()
  const follow = name => {
    if (first.has(name) || !chunks.has(name)) return
    first.add(name)
    for (const each of chunks.get(name).imports) follow(each)
  }
  follow(output.find(({ isEntry }) => isEntry).fileName)
  const textOf = isWanted =>
    [...chunks].flatMap(([name, chunk]) => (isWanted(name) ? [chunk.code] : [])).join('\n')
  return { now: textOf(name => first.has(name)), later: textOf(name => !first.has(name)) }
}

function kilobytes(text) {
  return text.trim() === '' ? '' : (gzipSync(text).length / 1000).toFixed(1)
}
