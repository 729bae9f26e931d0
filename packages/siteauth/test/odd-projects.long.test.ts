import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { contents, createProject, type Files } from './command-line.ts'

const V5 = { 'package.json': '{"dependencies":{"next":"16","next-auth":"5.0.0-beta.32"}}' }
const V4 = { 'package.json': '{"dependencies":{"next":"16","next-auth":"^4.24.0"}}' }
const HANDLER = 'app/api/auth/[...nextauth]/route.ts'

/** A project after the move, and what a person was told. */
async function move(files: Files) {
  const project = createProject(files)
  const { code, output } = await project.run('from-authjs')
  const after = contents(project)
  const { output: second } = await project.run('from-authjs')
  expect(contents(project), 'a second run').toEqual(after)
  return { project, code, output, after, second }
}

describe('siteauth from-authjs, of what people write', () => {
  describe('keeps', () => {
    it.each([
      ['the line ends of Windows', `import a from 'a'\r\nimport { b } from 'next-auth'\r\n`],
      ['a byte order mark', `\uFEFFimport a from 'next-auth'\n`],
      ['tabs, and no line end', `import {\n\ta, // first\n\tb,\n} from 'next-auth'`],
      ['comments in lists', `import /* x */ d, { /* y */ a as b /* z */ } from "next-auth";\n`],
      [
        'types',
        `import type { Session } from 'next-auth'\nexport type { User } from 'next-auth'\n`,
      ],
      ['old modules', `import x = require('next-auth')\n`],
      ['names in templates', 'const a = `uses next-auth`\nimport("next-auth")\n'],
      ['attributes', `import a from 'next-auth' with { type: 'x' }\n`],
    ])('%s', async (_, text) => {
      const { after } = await move({ ...V5, 'a.ts': text })
      expect(after['a.ts']).toBe(
        text.replaceAll(/(?<=(?:from|require\(|import\() ?['"])next-auth/g, '@siteauth/next'),
      )
    })

    it.each([
      [
        'line ends and the order of package.json',
        '{\r\n\t"z": ["a", "b"],\r\n\t"dependencies": {"next-auth": "5", "a": "1"}\r\n}',
      ],
      ['a byte order mark in it', '\uFEFF{ "dependencies": { "next-auth": "5" } }\n'],
    ])('%s', async (_, text) => {
      const { after } = await move({ 'package.json': text })
      expect(after['package.json']).toBe(
        text.replace(/"next-auth": "5"/, '"@siteauth/next": "^0.41.3"'),
      )
    })

    it('a package that is there under its new name already', async () => {
      const text = `{\n  "dependencies": {\n    "@siteauth/next": "0.41.3",\n    "next-auth": "5"\n  }\n}\n`
      const { after } = await move({ 'package.json': text })
      expect(JSON.parse(after['package.json'] ?? '')).toEqual({
        dependencies: { '@siteauth/next': '0.41.3' },
      })
    })

    it('a proxy that is there beside a middleware', async () => {
      const { after, output } = await move({
        ...V5,
        'middleware.ts': `export { auth as middleware } from './auth'\n`,
        'proxy.ts': `export function proxy() {}\n`,
        'auth.ts': `import NextAuth from 'next-auth'\nexport const { auth } = NextAuth({ providers: [] })\n`,
      })
      expect(after['proxy.ts']).toBe(`export function proxy() {}\n`)
      expect(after['middleware.ts']).toContain('middleware')
      expect(output).toContain('Next 16 runs proxy.ts alone')
    })

    it('a middleware that has nothing to do with it, under its name', async () => {
      const text = `// author: Ann\nexport function middleware() {}\n`
      const { after } = await move({ ...V5, 'middleware.ts': text, 'a.ts': `import 'next-auth'\n` })
      expect(after['middleware.ts']).toBe(text)
    })

    it('a middleware that a test imports, and says what to do', async () => {
      const { after, output } = await move({
        ...V5,
        'middleware.ts': `import NextAuth from 'next-auth'\nexport function middleware() {}\n`,
        'middleware.test.ts': `import { middleware } from './middleware'\nmiddleware()\n`,
      })
      expect(after['middleware.ts']).toContain('function middleware')
      expect(output).toContain('also in middleware.test.ts')
    })

    it('a page in a folder called build', async () => {
      const { after } = await move({ ...V5, 'app/build/page.tsx': `import 'next-auth/react'\n` })
      expect(after['app/build/page.tsx']).toBe(`import '@siteauth/next/react'\n`)
    })

    it('a file in another encoding, byte by byte, and says so', async () => {
      const project = createProject(V5)
      const path = join(project.folder, 'old.js')
      const bytes = Buffer.from(`import 'next-auth' // déjà vu\n`, 'latin1')
      writeFileSync(path, bytes)
      const { output } = await project.run('from-authjs')
      expect(readFileSync(path)).toEqual(bytes)
      expect(output).toContain('old.js\n    It is not UTF-8')
    })

    it('what a link out of the project leads to, and says so', async () => {
      const outside = mkdtempSync(join(tmpdir(), 'outside-'))
      onTestFinished(() => rmSync(outside, { recursive: true }))
      writeFileSync(join(outside, 'shared.ts'), `import 'next-auth'\n`)
      const project = createProject(V5)
      symlinkSync(join(outside, 'shared.ts'), join(project.folder, 'shared.ts'))
      const { output } = await project.run('from-authjs')
      expect(lstatSync(join(project.folder, 'shared.ts')).isSymbolicLink()).toBe(true)
      expect(readFileSync(join(outside, 'shared.ts'), 'utf8')).toBe(`import 'next-auth'\n`)
      expect(output).toContain('It is a link out of this project')
    })

    it('everything, if one file is read-only', async () => {
      const files = { ...V5, 'a.ts': `import 'next-auth'\n`, 'b.ts': `import 'next-auth'\n` }
      const project = createProject(files)
      chmodSync(join(project.folder, 'b.ts'), 0o444)
      const { code, told } = await project.run('from-authjs')
      expect(code).toBe(1)
      expect(told).toContain('b.ts is read-only')
      expect(contents(project)).toEqual(files)
    })
  })

  it('says that changes are mixed with others, and asks where somebody can answer', async () => {
    const project = createProject({ ...V5, 'a.ts': `import 'next-auth'\n` })
    execFileSync('git', ['init', '--quiet'], { cwd: project.folder })
    const before = contents(project)
    const asker = { confirm: async () => false, choose: () => Promise.reject(new Error('no')) }
    expect((await project.runIn({ asker }, 'from-authjs')).code).toBe(1)
    expect(contents(project)).toEqual(before)
    const { code, told } = await project.run('from-authjs')
    expect(code).toBe(0)
    expect(told).toContain('not committed')
  })

  it('renames what comments of JavaScript and declarations refer to', async () => {
    const { after } = await move({
      ...V4,
      'a.js': `/** @type {import('next-auth').NextAuthOptions} */\nexport const a = {}\n`,
      'b.d.ts': `/// <reference types="next-auth" />\n// see next-auth.js.org\n`,
      'c.js': 'const a = require(`next-auth`), b = import.meta.resolve("next-auth/jwt")\n',
    })
    expect(after['a.js']).toContain(`{import('@siteauth/next').NextAuthConfig}`)
    expect(after['b.d.ts']).toBe(
      `/// <reference types="@siteauth/next" />\n// see next-auth.js.org\n`,
    )
    expect(after['c.js']).toBe(
      'const a = require(`@siteauth/next`), b = import.meta.resolve("@siteauth/next/jwt")\n',
    )
  })

  it('moves every package of a workspace, and its manifest', async () => {
    const { after, code } = await move({
      'package.json': '{"name":"root","workspaces":["apps/*","packages/*"]}',
      'apps/web/package.json': '{"name":"web","dependencies":{"next":"16","next-auth":"5"}}',
      'apps/web/auth.ts': `import NextAuth from 'next-auth'\n`,
      'packages/ui/package.json': '{"name":"ui","peerDependencies":{"next-auth":"5"}}',
      'packages/ui/src/button.tsx': `import { signIn } from 'next-auth/react'\n`,
    })
    expect(code).toBe(0)
    expect(Object.values(after).join('\n')).not.toContain('next-auth')
    expect(after['packages/ui/package.json']).toContain('"@siteauth/next": "^0.41.3"')
  })

  it('finishes what was stopped before the manifest was written', async () => {
    const { project, after } = await move({
      ...V4,
      'middleware.ts': `export { default } from 'next-auth/middleware'\n`,
      'pages/api/auth/[...nextauth].ts': `import NextAuth from 'next-auth'\nexport default NextAuth({ providers: [] })\n`,
      'app/page.tsx': `import { getServerSession } from 'next-auth'\nexport const a = () => getServerSession()\n`,
    })
    project.write(V4)
    expect((await project.run('from-authjs')).output).toContain('changed  package.json')
    expect(contents(project)).toEqual(after)
  })

  it('shows a diff that git applies', async () => {
    const files = {
      ...V4,
      'pages/api/auth/[...nextauth].ts': `import NextAuth from 'next-auth'\n\nexport default NextAuth({ providers: [] })`,
      'crlf.ts': `import 'next-auth'\r\nexport {}\r\n`,
    }
    const project = createProject(files)
    const { output } = await project.run('from-authjs', '--dry-run')
    const [patch = ''] = output.split('\nLook at these yourself')
    execFileSync('git', ['apply'], { cwd: project.folder, input: patch })
    const applied = contents(project)
    const { after } = await move(files)
    expect(applied).toEqual(after)
  })

  describe('from v4', () => {
    const OPTIONS = `export const authOptions = { providers: [] }\n`

    it.each([
      ['latest', `import { getServerSession } from 'next-auth'\nexport { getServerSession }\n`],
      [
        'catalog:',
        `import type { NextAuthOptions } from 'next-auth'\nexport type A = NextAuthOptions\n`,
      ],
    ])('knows it where package.json says %s', async (range, text) => {
      const { output } = await move({
        'package.json': `{"dependencies":{"next":"16","next-auth":"${range}"}}`,
        'a.ts': text,
      })
      expect(output).toContain('v4 encrypted its tokens with another key')
    })

    it('keeps what else is in the file of the route', async () => {
      const { after } = await move({
        ...V4,
        'lib/auth.ts': OPTIONS,
        [HANDLER]: `// Ours.
import NextAuth from 'next-auth'
import { authOptions } from '@/lib/auth'
export const maxDuration = 60 // slow
const handler = NextAuth(authOptions)
export { handler as GET, handler as POST }
`,
      })
      expect(after[HANDLER]).toBe(`// Ours.
import { handlers } from '@/lib/auth'
export const maxDuration = 60 // slow
export const { GET, POST } = handlers
`)
    })

    it('leaves what Next reads from a route in the route', async () => {
      const { after } = await move({
        ...V4,
        [HANDLER]: `import NextAuth from 'next-auth'
export const dynamic = 'force-dynamic'
const handler = NextAuth({ providers: [] })
export const GET = handler
export const POST = handler
`,
      })
      expect(after[HANDLER]).toBe(`import { handlers } from '../../../../auth'

export const dynamic = 'force-dynamic'
export const { GET, POST } = handlers
`)
      expect(after['auth.ts']).not.toMatch(/dynamic|handler\b/)
    })

    it('leaves a handler alone that is wrapped, and says what to do', async () => {
      const text = `import NextAuth from 'next-auth'
const handler = NextAuth({ providers: [] })
export async function POST(request: Request) {
  return handler(request)
}
export { handler as GET }
`
      const { after, output } = await move({ ...V4, [HANDLER]: text })
      expect(after[HANDLER]).toBe(text.replace('next-auth', '@siteauth/next'))
      expect(output).toContain('The handler is wrapped in code of your own')
    })

    it.each([
      ['baseUrl', 'pages/api/auth/[...nextauth]', '{"compilerOptions":{"baseUrl":"."}}'],
      [
        'an alias',
        '#/pages/api/auth/[...nextauth]',
        '{"compilerOptions":{"paths":{"#/*":["./*"]}}}',
      ],
    ])('finds the options by %s', async (_, module, tsconfig) => {
      const { after } = await move({
        ...V4,
        'tsconfig.json': tsconfig,
        'pages/api/auth/[...nextauth].ts': `import NextAuth from 'next-auth'\n${OPTIONS}export default NextAuth(authOptions)\n`,
        'pages/index.tsx': `import { getServerSession } from 'next-auth/next'
import { authOptions } from '${module}'

export const getServerSideProps = async ({ req, res }) => ({
  props: { session: await getServerSession(req, res, authOptions) },
})
`,
      })
      expect(after['pages/index.tsx']).toBe(`import { auth } from '../auth'

export const getServerSideProps = async ({ req, res }) => ({
  props: { session: await auth({ req, res }) },
})
`)
    })

    it('says nothing of files that it has removed, or of callbacks that take nothing', async () => {
      const { after, output } = await move({
        ...V4,
        'src/server/auth.ts': OPTIONS,
        'src/pages/api/auth/[...nextauth].ts': `import NextAuth from "next-auth";\n\nimport { authOptions } from "~/server/auth";\n\nexport default NextAuth(authOptions);\n`,
        'src/middleware.ts': `import { withAuth } from 'next-auth/middleware'\nexport default withAuth({ callbacks: { authorized: () => true } })\n`,
      })
      expect(after['src/app/api/auth/[...nextauth]/route.ts']).toBe(
        `import { handlers } from "~/server/auth";\n\nexport const { GET, POST } = handlers;\n`,
      )
      expect(output).not.toMatch(/UTF-8|`authorized` gets/)
    })

    it('writes no name twice', async () => {
      const { after } = await move({
        ...V4,
        'lib/auth.ts': `import { getServerSession } from 'next-auth'
${OPTIONS}export const auth = () => getServerSession(authOptions)
export const signIn = 'mine'
`,
        [HANDLER]: `import NextAuth from 'next-auth'
import { authOptions as options } from '../../../../lib/auth'
const handler = NextAuth(options)
export { handler as GET, handler as POST }
`,
      })
      expect(after['lib/auth.ts']).toMatch(
        /export const \{ handlers, auth, signOut \} = NextAuth\(authOptions\)\n$/,
      )
      expect(after['lib/auth.ts']?.match(/\bauth\b(?= [=}]|,)/g)).toHaveLength(1)
    })

    it('leaves calls alone that ask by other options', async () => {
      const page = `import { getServerSession } from 'next-auth'
export const a = () => getServerSession({ providers: [], secret: 'another' })
`
      const { after, output } = await move({
        ...V4,
        [HANDLER]: `import NextAuth from 'next-auth'\nconst handler = NextAuth({ providers: [] })\nexport { handler as GET, handler as POST }\n`,
        'app/page.tsx': page,
      })
      expect(after['app/page.tsx']).toBe(page.replace('next-auth', '@siteauth/next'))
      expect(output).toContain('app/page.tsx:2')
    })

    it('keeps names that others import', async () => {
      const { after } = await move({
        ...V4,
        'types.ts': `import type { AuthOptions } from 'next-auth'
export type { AuthOptions }
export type { NextAuthOptions } from 'next-auth'
export interface Shop { AuthOptions: 1; of: AuthOptions }
`,
      })
      expect(
        after['types.ts'],
      ).toBe(`import type { NextAuthConfig as AuthOptions } from '@siteauth/next'
export type { AuthOptions }
export type { NextAuthConfig as NextAuthOptions } from '@siteauth/next'
export interface Shop { AuthOptions: 1; of: AuthOptions }
`)
    })

    it('keeps comments in the lists it changes, and directives first', async () => {
      const { after } = await move({
        ...V4,
        'lib/auth.ts': OPTIONS,
        [HANDLER]: `import NextAuth from 'next-auth'\nimport { authOptions } from '../../../../lib/auth'\nexport const GET = NextAuth(authOptions)\n`,
        'app/actions.ts': `'use server'
import {
  getServerSession,
  type Session, // ours
} from 'next-auth' // a comment
import { authOptions } from '@/lib/auth' // another

export const who = async (): Promise<Session | null> => await getServerSession(authOptions)
`,
      })
      expect(after['app/actions.ts']).toBe(`'use server'
import {
  type Session, // ours
} from '@siteauth/next' // a comment
import { auth } from '@/lib/auth' // another

export const who = async (): Promise<Session | null> => await auth()
`)
    })

    it.each([
      ['{ /* a, } */ getServerSession /* b, { */, User }', '{ /* a, } */ /* b, { */ User }'],
      ['{ User, // c, }\n  getServerSession }', '{ User // c, }\n   }'],
      ['{ getServerSession, User as getServerSessionUser }', '{ User as getServerSessionUser }'],
    ])('is not misled by signs in comments: %s', async (before, after) => {
      const { after: files } = await move({
        ...V4,
        [HANDLER]: `import NextAuth from 'next-auth'\nconst handler = NextAuth({ providers: [] })\nexport { handler as GET, handler as POST }\n`,
        'app/a.ts': `import ${before} from 'next-auth'\nexport const a = () => getServerSession()\n`,
      })
      expect(files['app/a.ts']).toBe(
        `import ${after} from '@siteauth/next'\nimport { auth } from '../auth'\nexport const a = () => auth()\n`,
      )
    })

    it('puts the import of auth where others stand, if the old one was the last', async () => {
      const { after } = await move({
        ...V4,
        [HANDLER]: `import NextAuth from 'next-auth'\nconst handler = NextAuth({ providers: [] })\nexport { handler as GET, handler as POST }\n`,
        'app/a.ts': `import x from 'x'\nimport { getServerSession } from 'next-auth'\nexport const a = () => getServerSession(), b = x\n`,
        'app/b.ts': `'use server'\nimport { getServerSession } from 'next-auth'\nexport const a = () => getServerSession()\n`,
      })
      expect(after['app/a.ts']).toBe(
        `import x from 'x'\nimport { auth } from '../auth'\nexport const a = () => auth(), b = x\n`,
      )
      expect(after['app/b.ts']).toBe(
        `'use server'\nimport { auth } from '../auth'\nexport const a = () => auth()\n`,
      )
    })

    it('rewrites claims that are named in brackets', async () => {
      const { after } = await move({
        ...V4,
        'middleware.ts': `// Guards.
import { withAuth } from 'next-auth/middleware'
export default withAuth(req => void req.nextauth.token?.['role'], {
  callbacks: { authorized: ({ token }) => token?.['role'] === 'admin' },
})
`,
      })
      expect(after['proxy.ts']).toContain(`=> token?.user?.['role'] === 'admin'`)
      expect(after['proxy.ts']).toContain(`req.auth?.user?.['role']`)
      expect(after['proxy.ts']).toMatch(/^\/\/ Guards\.\nimport NextAuth/)
    })

    it('does not make two default exports of a proxy', async () => {
      const text = `import NextAuth from 'next-auth'
export const { auth } = NextAuth({ providers: [] })
export default auth(() => {})
`
      const { after } = await move({ ...V5, 'proxy.ts': text })
      expect(after['proxy.ts']).toBe(text.replace('next-auth', '@siteauth/next'))
    })
  })
})
