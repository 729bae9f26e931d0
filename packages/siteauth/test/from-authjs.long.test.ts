import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { contents, createProject, type Files } from './command-line.ts'

const FIXTURES = fileURLToPath(new URL('../../../fixtures/from-authjs', import.meta.url))

/** A project of Auth.js as people write them. */
function fixture(name: string) {
  const project = createProject()
  cpSync(`${FIXTURES}/${name}`, project.folder, { recursive: true })
  return project
}

const V5 = { 'package.json': '{"dependencies":{"next":"16","next-auth":"5.0.0-beta.32"}}' }
const V4 = { 'package.json': '{"dependencies":{"next":"16","next-auth":"^4.24.0"}}' }

/** Moves a single file, and answers what became of it. */
async function moved(file: string, text: string, others: Files = V5): Promise<string> {
  const project = createProject({ ...others, [file]: text })
  await project.run('from-authjs')
  return project.read(file)
}

describe('siteauth from-authjs', () => {
  describe.each(['split', 'pages-router', 'prisma', 'actions', 'v4', 'express'])(
    'moves %s',
    name => {
      it('and leaves nothing that names the old library', async () => {
        const project = fixture(name)
        const { code, output } = await project.run('from-authjs')
        expect(code).toBe(output.includes('Look at these yourself:') ? 3 : 0)
        const texts = Object.entries(contents(project)).filter(([file]) =>
          /\.tsx?$|\.json$/.test(file),
        )
        for (const [, text] of texts)
          expect(text).not.toMatch(/['"](?:next-auth|@auth\/core|@next-auth)['"/]/)
      })

      it('and changes nothing the second time', async () => {
        const project = fixture(name)
        await project.run('from-authjs')
        const before = contents(project)
        const { code, output } = await project.run('from-authjs')
        expect(output).toBe('Nothing of Auth.js is left to move.\n')
        expect(code).toBe(0)
        expect(contents(project)).toEqual(before)
      })

      it('and shows the same as a diff first, without writing anything', async () => {
        const project = fixture(name)
        const before = contents(project)
        const { code, output } = await project.run('from-authjs', '--dry-run')
        expect(code).toBe(3)
        expect(output).toMatch(/^--- a\/.*\n\+\+\+ b\/.*\n@@ /m)
        expect(contents(project)).toEqual(before)
      })
    },
  )

  it.each([
    [`import NextAuth from 'next-auth'`, `import NextAuth from '@siteauth/next'`],
    [`import "next-auth/jwt";`, `import "@siteauth/next/jwt";`],
    [`export { auth } from 'next-auth'`, `export { auth } from '@siteauth/next'`],
    [`export * from '@auth/core/types'`, `export * from '@siteauth/core/types'`],
    [`const a = await import('next-auth/react')`, `const a = await import('@siteauth/next/react')`],
    [`const { a } = require('@auth/express')`, `const { a } = require('@siteauth/express')`],
    [
      `declare module 'next-auth/jwt' { interface JWT { a: 1 } }`,
      `declare module '@siteauth/next/jwt' { interface JWT { a: 1 } }`,
    ],
    [`type S = import('next-auth').Session`, `type S = import('@siteauth/next').Session`],
    [`vi.mock('next-auth/react')`, `vi.mock('@siteauth/next/react')`],
    [`import { a } from 'next-auth-like'`, `import { a } from 'next-auth-like'`],
    [`const text = 'next-auth'`, `const text = 'next-auth'`],
    [`import A from '@auth/pg-adapter'`, `import A from '@auth/pg-adapter'`],
  ])('renames what a module is called by, and nothing else: %s', async (before, after) => {
    expect(await moved('file.ts', `${before}\n`)).toBe(`${after}\n`)
  })

  it('replaces packages, and keeps the rest of package.json', async () => {
    const project = createProject({
      'package.json': `{\n    "name": "app",\n    "dependencies": {\n        "next-auth": "^4.0.0",\n        "@next-auth/prisma-adapter": "1.0.7",\n        "zod": "4"\n    }\n}\n`,
    })
    await project.run('from-authjs')
    expect(project.read('package.json')).toBe(
      `{\n    "name": "app",\n    "dependencies": {\n        "@siteauth/next": "^0.41.3",\n        "@auth/prisma-adapter": "^2.11.3",\n        "zod": "4"\n    }\n}\n`,
    )
  })

  it('renames packages in a tsconfig with comments', async () => {
    const text = `{\n  // types\n  "compilerOptions": { "types": ["node", "next-auth/jwt"] }\n}\n`
    expect(await moved('tsconfig.json', text)).toBe(text.replace('next-auth', '@siteauth/next'))
  })

  describe('from v4', () => {
    it('makes auth of the options, and a route of the handler', async () => {
      const project = fixture('v4')
      await project.run('from-authjs')
      const files = contents(project)
      expect(files['pages/api/auth/[...nextauth].ts']).toBeUndefined()
      expect(files['app/api/auth/[...nextauth]/route.ts']).toBe(
        `import { handlers } from '../../../../auth'\n\nexport const { GET, POST } = handlers\n`,
      )
      expect(files['auth.ts']).toContain('export const authOptions: NextAuthConfig = {')
      expect(files['auth.ts']).toContain(`import { prisma } from './lib/prisma'`)
      expect(files['auth.ts']).toMatch(
        /export const \{ handlers, auth, signIn, signOut \} = NextAuth\(authOptions\)\n$/,
      )
    })

    it('calls auth in place of getServerSession, wherever that is', async () => {
      const project = fixture('v4')
      await project.run('from-authjs')
      expect(project.read('app/dashboard/page.tsx')).toContain('await auth()')
      expect(project.read('app/dashboard/page.tsx')).toContain(`import { auth } from '../../auth'`)
      expect(project.read('app/dashboard/page.tsx')).toContain(
        `import { type Session } from '@siteauth/next'`,
      )
      expect(project.read('pages/api/me.ts')).toContain('await auth(req, res)')
      expect(project.read('pages/profile.tsx')).toContain('await auth(context)')
    })

    it('gives getToken the secret that v4 found by itself', async () => {
      const project = fixture('v4')
      await project.run('from-authjs')
      expect(project.read('pages/api/me.ts')).toContain(
        'getToken({ req, secret: process.env.AUTH_SECRET ?? process.env.NEXTAUTH_SECRET })',
      )
    })

    it('makes a proxy of withAuth', async () => {
      const project = fixture('v4')
      await project.run('from-authjs')
      const proxy = project.read('proxy.ts')
      expect(proxy).toContain(`import NextAuth from '@siteauth/next'`)
      expect(proxy).toContain('providers: []')
      expect(proxy).toContain(
        `authorized: ({ auth: token, request: req }) => req.nextUrl.pathname !== '/admin' || token?.user?.name === 'Ann'`,
      )
    })

    it('puts the call beside options that are in a file of their own', async () => {
      const project = createProject({
        ...V4,
        'lib/auth.ts': `import { getServerSession, type NextAuthOptions } from 'next-auth'
export const authOptions: NextAuthOptions = { providers: [] }
export const getAuthSession = () => getServerSession(authOptions)
`,
        'app/api/auth/[...nextauth]/route.ts': `import NextAuth from 'next-auth'
import { authOptions } from '@/lib/auth'
const handler = NextAuth(authOptions)
export { handler as GET, handler as POST }
`,
        'app/page.tsx': `import { getServerSession } from 'next-auth'
import { authOptions } from '@/lib/auth'
export default async () => (await getServerSession(authOptions))?.user?.name
`,
      })
      await project.run('from-authjs')
      expect(project.read('lib/auth.ts')).toBe(`import { type NextAuthConfig } from '@siteauth/next'
import NextAuth from '@siteauth/next'
export const authOptions: NextAuthConfig = { providers: [] }
export const getAuthSession = () => auth()

export const { handlers, auth, signIn, signOut } = NextAuth(authOptions)
`)
      expect(project.read('app/api/auth/[...nextauth]/route.ts')).toContain(
        `import { handlers } from '@/lib/auth'\nexport const { GET, POST } = handlers\n`,
      )
      expect(project.read('app/page.tsx')).toBe(`import { auth } from '@/lib/auth'
export default async () => (await auth())?.user?.name
`)
    })

    it.each([
      [`export { default } from 'next-auth/middleware'`],
      [`import withAuth from 'next-auth/middleware'\nexport default withAuth`],
      [`import { withAuth } from 'next-auth/middleware'\nexport default withAuth({})`],
    ])('lets in only those who are signed in, as before: %s', async text => {
      const project = createProject({ ...V4, 'middleware.ts': `${text}\n` })
      await project.run('from-authjs')
      const proxy = project.read('proxy.ts')
      expect(proxy).toMatch(/^import NextAuth from '@siteauth\/next'\n/)
      expect(proxy).toContain('authorized: ({ auth }) => Boolean(auth)')
      expect(proxy).toMatch(/\}\)\.auth\n$/)
    })

    it('wraps the function that withAuth wrapped, and says what it gets now', async () => {
      const project = createProject({
        ...V4,
        'middleware.ts': `import { type NextRequestWithAuth, withAuth } from 'next-auth/middleware'
export default withAuth(function middleware(req: NextRequestWithAuth) {
  if (req.nextauth.token?.role !== 'admin') return Response.json({}, { status: 403 })
}, { pages: { signIn: '/login' } })
`,
      })
      const { output } = await project.run('from-authjs')
      expect(
        project.read('proxy.ts'),
      ).toBe(`import NextAuth, { type NextAuthRequest } from '@siteauth/next'
export default NextAuth({ providers: [], callbacks: { authorized: ({ auth }) => Boolean(auth) }, pages: { signIn: '/login' } }).auth(function middleware(req: NextAuthRequest) {
  if (req.auth?.user?.role !== 'admin') return Response.json({}, { status: 403 })
})
`)
      expect(output).toMatch(/middleware\.ts:3\n.*`role` is there only if/)
    })
  })

  describe('the proxy', () => {
    it.each([
      [
        `export const { auth: middleware } = NextAuth(config)`,
        `export default NextAuth(config).auth`,
      ],
      [`export { auth as middleware } from './auth'`, `export { auth as proxy } from './auth'`],
    ])('is written as Next 16 wants it: %s', async (before, after) => {
      const project = createProject({
        ...V5,
        'middleware.ts': `import NextAuth from 'next-auth'\n${before}\n`,
      })
      await project.run('from-authjs')
      expect(project.read('proxy.ts')).toBe(`import NextAuth from '@siteauth/next'\n${after}\n`)
    })

    it('keeps its name before Next 16', async () => {
      const next15 = {
        'package.json': '{"dependencies":{"next":"^15.2.0","next-auth":"5.0.0-beta.32"}}',
      }
      const text = `export { auth as middleware } from './auth'\n`
      expect(await moved('middleware.ts', text, next15)).toBe(text)
    })
  })

  it.each([
    [
      'session of an update',
      `NextAuth({ callbacks: { jwt({ token, session }) { token.name = session.name } } })`,
      'auth.ts:2',
    ],
    ['HS256', `const options = { algorithms: ['HS256'] }`, 'HS256'],
    [
      'redirect proxies',
      `NextAuth({ redirectProxyUrl: 'https://example.com/api/auth' })`,
      'redirectProxyOrigins',
    ],
    ['stores', `NextAuth({ adapter: PrismaAdapter(prisma) })`, 'Mark addresses'],
  ])('says what a person should look at: %s', async (_, text, expected) => {
    const project = createProject({
      ...V5,
      'auth.ts': `import NextAuth from 'next-auth'\n${text}\n`,
    })
    expect((await project.run('from-authjs')).output).toContain(expected)
  })

  it('says that Next is too old', async () => {
    const project = createProject({
      'package.json': '{"dependencies":{"next":"14.2.0","next-auth":"5.0.0-beta.25"}}',
    })
    expect((await project.run('from-authjs')).output).toContain('Next 14.2.0 is too old')
  })

  it.each([
    ['node server.js', {}, true],
    ['NODE_ENV=production node server.js', {}, false],
    ['node server.js', { '.env.production': 'AUTH_URL=https://example.com\n' }, false],
    ['next start', {}, false],
  ])('warns of the start script %s with %j: %s', async (start, files, isWarned) => {
    const project = createProject({
      ...V5,
      'package.json': JSON.stringify({
        dependencies: { next: '16.4.3', 'next-auth': '5.0.0-beta.25' },
        scripts: { start },
      }),
      ...files,
    })
    const { output } = await project.run('from-authjs')
    expect(output.includes('sets neither NODE_ENV nor AUTH_URL')).toBe(isWarned)
  })

  it('leaves a file alone that it cannot parse, and says so', async () => {
    const project = createProject({ ...V5, 'broken.ts': `import 'next-auth'; export {{` })
    const { output } = await project.run('from-authjs')
    expect(output).toContain('broken.ts\n    It cannot be parsed')
  })

  it('moves Express', async () => {
    const project = createProject({
      'package.json': '{"dependencies":{"@auth/express":"0.12.3","express":"5"}}',
      'server.js': `import { ExpressAuth } from '@auth/express'\nimport GitHub from '@auth/express/providers/github'\napp.use('/auth/{*auth}', ExpressAuth({ providers: [GitHub] }))\n`,
    })
    await project.run('from-authjs')
    expect(project.read('server.js')).toContain(`from '@siteauth/express/providers/github'`)
    expect(project.read('package.json')).toContain('"@siteauth/express": "^0.41.3"')
  })
})
