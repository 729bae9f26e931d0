// How much code each entry brings into an application, minified and gzipped, with everything that is
// loaded at once. What is loaded later, when somebody needs it, is in the second figure. Fails where
// an entry is larger than it may be, or holds what it must not.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const NEXT = ['next', 'next/*']
const REACT = ['react', 'react/*', 'react-dom', 'react-dom/*']
/** What tells that code is there which does not belong: an API of a protocol, a page, a mailer. */
const FORBIDDEN = ['oauth4webapi', 'code_challenge_method', '<!doctype html>', 'nodemailer']

const entries = [
  {
    name: 'client: SessionProvider, useSession, signIn',
    code: `export { SessionProvider, useSession, signIn } from '@siteauth/react'`,
    platform: 'browser',
    external: REACT,
    limit: 3,
    forbidden: [...FORBIDDEN, 'node:', 'AUTH_SECRET'],
  },
  {
    name: 'a proxy of Next that checks a session',
    code: `
      import SiteAuth from '@siteauth/next'
      export const { auth } = SiteAuth({ providers: [] })`,
    platform: 'node',
    external: NEXT,
    limit: 8,
    forbidden: FORBIDDEN,
  },
  {
    name: 'the same at the edge',
    code: `
      import SiteAuth from '@siteauth/next'
      export const { auth } = SiteAuth({ providers: [] })`,
    platform: 'edge',
    external: NEXT,
    limit: 8,
    forbidden: FORBIDDEN,
  },
  {
    name: 'core: a session check',
    code: `
      import { createAuth } from '@siteauth/core'
      const { getSession } = createAuth({ providers: [] })
      export { getSession }`,
    platform: 'node',
    limit: 5,
    forbidden: FORBIDDEN,
  },
  {
    name: 'core: everything, with one OAuth provider',
    code: `
      import { createAuth } from '@siteauth/core'
      import GitHub from '@siteauth/core/providers/github'
      export const auth = createAuth({ providers: [GitHub] })`,
    platform: 'node',
    isWhole: true,
    limit: 24,
    forbidden: ['nodemailer'],
  },
  {
    name: 'next-auth in a proxy, to compare',
    code: `
      import NextAuth from 'next-auth'
      export const { auth } = NextAuth({ providers: [] })`,
    platform: 'node',
    external: NEXT,
    forbidden: [],
  },
]

let failed = false
console.log('| entry | kB at once | kB in all | limit | |')
console.log('|---|---|---|---|---|')
for (const { name, limit, forbidden, isWhole = false, ...entry } of entries) {
  const { first, all } = await bundle(entry)
  const sizes = [kilobytes(first), kilobytes(all)]
  const counted = isWhole ? sizes[1] : sizes[0]
  const found = forbidden.filter(word => first.some(text => text.toLowerCase().includes(word)))
  const faults = [
    ...(limit !== undefined && counted > limit
      ? [`over by ${(counted - limit).toFixed(1)} kB`]
      : []),
    ...found.map(word => `has ${word}`),
  ]
  if (faults.length > 0) failed = true
  const [atOnce, inAll] = sizes.map(size => size.toFixed(1))
  console.log(`| ${name} | ${atOnce} | ${inAll} | ${limit ?? ''} | ${faults.join(', ') || 'ok'} |`)
}
if (failed) process.exitCode = 1

/** The texts of the modules that an entry loads at once, and of all that it may load. */
async function bundle({ code, platform, external = [] }) {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: code,
      resolveDir: import.meta.dirname ?? new URL('.', import.meta.url).pathname,
    },
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: 'out',
    target: 'es2022',
    platform: platform === 'edge' ? 'neutral' : platform,
    mainFields: ['module', 'main'],
    conditions: {
      edge: ['edge-light', 'import'],
      browser: ['browser', 'import'],
      node: ['import'],
    }[platform],
    external,
    legalComments: 'none',
  })
  const texts = new Map(
    outputFiles.map(({ path, text }) => [path.slice(path.indexOf('out/')), text]),
  )
  const first = new Set(['out/stdin.js'])
  for (const path of first) {
    for (const { path: to, kind } of metafile.outputs[path].imports) {
      if (kind === 'import-statement' && texts.has(to)) first.add(to)
    }
  }
  return { first: [...first].map(path => texts.get(path)), all: [...texts.values()] }
}

function kilobytes(texts) {
  return gzipSync(texts.join('\n'), { level: 9 }).length / 1000
}
