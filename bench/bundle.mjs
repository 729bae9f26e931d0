// How much code each entry brings into an application, minified and gzipped, with everything that is
// loaded at once. What is loaded later, when somebody needs it, is in the second figure. Fails where an
// entry holds what it must not, and with GOALS=1 also where one is larger than it shall be.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { report } from './lib/report.mjs'

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
    name: 'core: signing in with one OAuth provider',
    code: `
      import { createAuth } from '@siteauth/core'
      import GitHub from '@siteauth/core/providers/github'
      export const auth = createAuth({ providers: [GitHub] })`,
    platform: 'node',
    later: /(start|finish)-oauth/,
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

const rows = []
for (const { name, limit, forbidden, later, ...entry } of entries) {
  const { first, all } = await bundle(entry, later)
  const found = forbidden.filter(word => first.some(text => text.toLowerCase().includes(word)))
  rows.push({ name, limit, found, size: kilobytes(first), all: kilobytes(all) })
}
report('bundle', {
  title: 'How much code an application gets',
  note: 'Minified and gzipped, in kB of 1000 bytes, without React and Next.',
  rows: rows.map(row => ({ ...row, ours: !row.name.startsWith('next-auth') })),
  columns: [
    ['kB', row => row.size.toFixed(1)],
    ['with what is loaded later', row => row.all.toFixed(1)],
    ['goal', row => row.limit ?? ''],
    ['must not be there, but is', row => row.found.join(', ')],
  ],
})
// What has no business in an entry is a fault. A goal is one where somebody asks for it.
const isOver = rows.some(({ size, limit = Infinity }) => size > limit)
const isWrong = rows.some(({ found }) => found.length > 0)
if (isWrong || (process.env.GOALS && isOver)) process.exitCode = 1

/** The texts of the modules that an entry loads at once, and of all that it may load. */
async function bundle({ code, platform, external = [] }, later) {
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
  const isWanted = ({ entryPoint = '' }) => later?.test(entryPoint) ?? false
  const wanted = Object.keys(metafile.outputs).filter(path => isWanted(metafile.outputs[path]))
  const first = new Set(['out/stdin.js', ...wanted])
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
