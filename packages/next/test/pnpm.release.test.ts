import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
let folder: string

// As pnpm lays packages out: each sees what it depends on, and the application nothing else.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pnpm-'))
  const store = (name: string) =>
    join(folder, 'node_modules/.pnpm', name.replace('/', '+'), 'node_modules')
  for (const name of ['client', 'core', 'next', 'react']) {
    for (const part of ['dist', 'package.json']) {
      const from = join(ROOT, 'packages', name, part)
      cpSync(from, join(store(`@siteauth/${name}`), `@siteauth/${name}`, part), { recursive: true })
    }
  }
  const installed = (name: string) => join(ROOT, 'node_modules', name)
  const own = (name: string) => join(store(name), name)
  link(own('@siteauth/core'), join(store('@siteauth/next'), '@siteauth/core'))
  link(own('@siteauth/react'), join(store('@siteauth/next'), '@siteauth/react'))
  link(own('@siteauth/core'), join(store('@siteauth/react'), '@siteauth/core'))
  link(own('@siteauth/client'), join(store('@siteauth/react'), '@siteauth/client'))
  link(own('@siteauth/core'), join(store('@siteauth/client'), '@siteauth/core'))
  for (const at of [
    store('@siteauth/next'),
    store('@siteauth/react'),
    join(folder, 'node_modules'),
  ]) {
    for (const name of ['next', 'react', '@types/react', '@types/node'])
      link(installed(name), join(at, name))
  }
  link(own('@siteauth/next'), join(folder, 'node_modules/@siteauth/next'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function link(to: string, at: string): void {
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(to, at)
}

it('writes declarations of an application that sees nothing but @siteauth/next', () => {
  writeFileSync(
    join(folder, 'auth.ts'),
    `import SiteAuth from '@siteauth/next'
     import GitHub from '@siteauth/next/providers/github'
     declare module '@siteauth/next' {
       interface Session { tenant: string }
       interface JWT { tenant: string }
     }
     export const { handlers, auth, signIn, signOut, unstable_update } = SiteAuth({ providers: [GitHub] })
     export const own = SiteAuth({
       providers: [],
       callbacks: {
         jwt: ({ token }) => ({ ...token, role: 'editor' as const }),
         session: ({ session, token }) => ({ ...session, role: token.role, tenant: token.tenant }),
         authorized: ({ auth }) => auth?.role === 'editor',
       },
     })
     export const tenant = async () => (await auth())?.tenant
     export const GET = auth(request => Response.json(request.auth?.tenant))
     export const proxy = own.auth(request => { console.log(request.auth?.role) })`,
  )
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler', strict: true },
        ...{ declaration: true, emitDeclarationOnly: true, outDir: 'out', skipLibCheck: true },
        types: ['node'],
      },
      files: ['auth.ts'],
    }),
  )
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
  const declarations = readFileSync(join(folder, 'out/auth.d.ts'), 'utf8')
  expect(declarations).not.toContain('@siteauth/core')
  expect(declarations).toContain('import("@siteauth/next")')
})
