// How much code each entry brings into an application, minified and gzipped, with everything that is
// loaded at once. What is loaded later, when somebody needs it, is in the second figure. Fails where an
// entry holds what it must not, and with GOALS=1 also where one is larger than it shall be.
//
// What is loaded by the time that somebody has signed in is found out by signing somebody in.
//
// Rollup bundles, and esbuild minifies. A proxy of Next is built by Next itself, and what counts is how
// much it adds to one that does nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import nodeResolve from '@rollup/plugin-node-resolve'
import { transform } from 'esbuild'
import { rollup } from 'rollup'
import { builtProxy } from './lib/next-proxy.mjs'
import { expectParts, progress } from './lib/progress.mjs'
import { report } from './lib/report.mjs'
import { signInOnce } from './lib/sign-in-once.mjs'

const REACT = /^react(-dom)?(\/|$)/
const NEXT = /^next(\/|$)/
/** What tells that the code of passkeys is there: how one is asked for, and what a browser answers. */
const WEBAUTHN = ['generateRegistrationOptions', 'clientDataJSON']
/** What tells that code is there which does not belong: an API of a protocol, a page, a mailer. */
const FORBIDDEN = [
  ...['oauth4webapi', 'code_challenge_method', 'name="viewport"', 'nodemailer'],
  ...WEBAUTHN,
]

const entries = [
  {
    name: 'React: SessionProvider, useSession, signIn',
    code: `export { SessionProvider, useSession, signIn } from '@siteauth/react'`,
    conditions: ['browser', 'import'],
    external: REACT,
    limit: 3,
    forbidden: [...FORBIDDEN, 'node:', 'AUTH_SECRET'],
  },
  {
    name: 'core: a session check alone, getToken',
    code: `export { getToken } from '@siteauth/core/jwt'`,
    limit: 5,
    forbidden: FORBIDDEN,
  },
  {
    name: '@auth/core: getToken, to compare',
    code: `export { getToken } from '@auth/core/jwt'`,
    forbidden: [],
  },
  {
    name: 'core: a session check with all options, createAuth',
    code: `
      import { createAuth } from '@siteauth/core'
      const { getSession } = createAuth({ providers: [] })
      export { getSession }`,
    forbidden: FORBIDDEN,
  },
  {
    name: 'the same at the edge',
    code: `
      import { createAuth } from '@siteauth/core'
      const { getSession } = createAuth({ providers: [] })
      export { getSession }`,
    conditions: ['edge-light', 'import'],
    forbidden: [...FORBIDDEN, 'node:'],
  },
  {
    name: 'core with one OAuth provider, when it starts',
    code: `
      import { createAuth } from '@siteauth/core'
      import GitHub from '@siteauth/core/providers/github'
      export const auth = createAuth({ providers: [GitHub] })`,
    limit: 24,
    forbidden: FORBIDDEN,
  },
  {
    name: 'core with one OAuth provider, at the edge, when it starts',
    code: `
      import { createAuth } from '@siteauth/core'
      import GitHub from '@siteauth/core/providers/github'
      export const auth = createAuth({ providers: [GitHub] })`,
    conditions: ['edge-light', 'import'],
    forbidden: [...FORBIDDEN, 'node:'],
  },
  {
    name: 'core with one OAuth provider, after somebody has signed in',
    code: `
      import { createAuth } from '@siteauth/core'
      import GitHub from '@siteauth/core/providers/github'
      export const auth = createAuth({ providers: [GitHub] })`,
    use: load => signInOnce(load, 'github'),
    forbidden: [
      ...FORBIDDEN.filter(word => word !== 'code_challenge_method'),
      'id_token_signing_alg',
    ],
  },
  {
    name: 'the same with an OpenID provider',
    code: `
      import { createAuth } from '@siteauth/core'
      import Google from '@siteauth/core/providers/google'
      export const auth = createAuth({ providers: [Google] })`,
    use: load => signInOnce(load, 'google'),
    forbidden: ['name="viewport"', 'nodemailer', ...WEBAUTHN],
  },
  {
    name: '@auth/core with one OAuth provider, to compare',
    code: `
      import { Auth } from '@auth/core'
      import GitHub from '@auth/core/providers/github'
      export const handle = request => Auth(request, { providers: [GitHub] })`,
    forbidden: [],
  },
]

const proxies = [
  ['what a proxy adds to an application of Next', '@siteauth/next', 8],
  ['what the proxy of next-auth adds, to compare', 'next-auth'],
]

expectParts(entries.length + proxies.length)
const rows = []
for (const { name, limit, forbidden, ...entry } of entries) {
  const { first, all } = await bundle(entry)
  rows.push({ name, limit, found: wordsIn(first, forbidden), size: size(first), all: size(all) })
  progress(1)
}
const idle = builtProxy('export default function proxy() {}\n')
for (const [name, from, limit] of proxies) {
  const texts = builtProxy(
    `import Library from '${from}'\nconst { auth } = Library({ providers: [] })\nexport default auth\n`,
  )
  rows.push({
    name,
    limit,
    found: limit ? wordsIn(texts, FORBIDDEN) : [],
    size: size(texts) - size(idle),
  })
  progress(1)
}
report('bundle', {
  title: 'How much code an application gets',
  note: 'Minified and gzipped, in kB of 1000 bytes, without React and Next.',
  rows: rows.map(row => ({ ...row, ratio: row.size, ours: !row.name.endsWith('to compare') })),
  columns: [
    ['kB', row => row.size.toFixed(1)],
    ['with what may be loaded later', row => row.all?.toFixed(1) ?? ''],
    ['goal', row => row.limit ?? ''],
    ['must not be there, but is', row => row.found.join(', ')],
  ],
  bars: {
    heading: 'Minified and gzipped. Shorter is better.',
    format: size => `${size.toFixed(1)} kB`,
  },
})
// What has no business in an entry is a fault. A goal is one where somebody asks for it.
const isOver = rows.some(({ size, limit = Infinity }) => size > limit)
const isWrong = rows.some(({ found }) => found.length > 0)
if (isWrong || (process.env.GOALS && isOver)) process.exitCode = 1

/** The texts of the files that an entry loads at once, or until it was used, and of all that it may load. */
async function bundle({ code, conditions = ['node', 'import'], external, use }) {
  const entry = '\0entry'
  const bundled = await rollup({
    input: entry,
    plugins: [
      {
        resolveId: id => (id === entry ? id : null),
        load: id => (id === entry ? code : null),
      },
      nodeResolve({
        exportConditions: conditions,
        preferBuiltins: true,
        rootDir: import.meta.dirname,
      }),
    ],
    external: id => isBuiltin(id) || NEXT.test(id) || (external?.test(id) ?? false),
    onwarn() {},
  })
  const { output } = await bundled.generate({ format: 'es' })
  const first = use ? await filesLoaded(output, use) : filesAtOnce(output)
  const texts = new Map()
  for (const { fileName, code: text } of output) {
    const { code: small } = await transform(text, { minify: true, format: 'esm', target: 'es2022' })
    texts.set(fileName, small)
  }
  return { first: [...first].flatMap(name => texts.get(name) ?? []), all: [...texts.values()] }
}

function filesAtOnce(output) {
  const chunks = new Map(output.map(chunk => [chunk.fileName, chunk]))
  const names = new Set(output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of names) for (const to of chunks.get(name)?.imports ?? []) names.add(to)
  return names
}

/** Runs what was bundled. Each file says that it was loaded. */
async function filesLoaded(output, use) {
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-bundle-'))
  const names = new Set()
  globalThis.filesLoaded = names
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const { fileName, code } of output) {
      const note = `globalThis.filesLoaded.add(${JSON.stringify(fileName)})`
      writeFileSync(join(folder, fileName), `${note}\n${code}`)
    }
    const { fileName } = output.find(({ isEntry }) => isEntry)
    await use(() => import(pathToFileURL(join(folder, fileName)).href))
    return names
  } finally {
    delete globalThis.filesLoaded
    rmSync(folder, { recursive: true })
  }
}

function wordsIn(texts, forbidden) {
  const found = texts.map(text => text.toLowerCase())
  return forbidden.filter(word => found.some(text => text.includes(word.toLowerCase())))
}

/** Smallest first: gzip looks back 32 kB, so the order in which a bundler lists its files would count. */
function size(texts) {
  const ordered = texts.toSorted((one, other) => one.length - other.length)
  return gzipSync(ordered.join('\n'), { level: 9 }).length / 1000
}
