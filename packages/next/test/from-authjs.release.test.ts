import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { run } from '../../siteauth/src/lib/run.ts'
import { thisTerminal } from '../../siteauth/src/lib/terminal.ts'
import { createApp, HOMES, type NextApp } from './next-app.ts'
import { createVisitor } from './visitor.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const GUIDE = readFileSync(join(ROOT, 'docs/guide/from-authjs.md'), 'utf8')

/** The blocks of code in the guide. */
const BLOCKS = [...GUIDE.matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)].map(
  ([, indent = '', info = '', text = '']) => ({
    info,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }),
)

function blockOf(is: (block: { info: string; text: string }) => boolean): string {
  const found = BLOCKS.find(is)
  if (!found) throw new Error('docs/guide/from-authjs.md has no such block any more')
  return found.text
}

/** An application of fixtures/from-authjs after `siteauth from-authjs`. */
interface Moved extends NextApp {
  readonly folder: string
}

async function move(name: string): Promise<Moved> {
  const from = join(ROOT, 'fixtures/from-authjs', name)
  const app = createApp(16, `from-authjs-${name}`, { from })
  const folder = join(HOMES[16], '.apps', `from-authjs-${name}`)
  if (name === 'prisma' || name === 'v4') writePrismaClient(folder)
  const quiet = { ...thisTerminal(), write() {}, tell() {} }
  // 3 if something is left to look at, as with sessions of v4.
  expect([0, 3]).toContain(await run(['--cwd', folder, 'from-authjs'], quiet))
  return { ...app, folder }
}

/** What `prisma generate` would write, which downloads a program from a server of its own. */
function writePrismaClient(folder: string): void {
  const to = join(folder, 'generated/prisma')
  mkdirSync(to, { recursive: true })
  copyFileSync(join(ROOT, 'packages/adapters/test/prisma/client.mjs'), join(to, 'client.js'))
  const types = `import type { PrismaClient as Client } from '@prisma/client'
    export declare const PrismaClient: new (options: { adapter: object }) => Client`
  writeFileSync(join(to, 'client.d.ts'), types)
}

function typeErrors(folder: string): string {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  return stdout
}

/** What still names the library that was left, in code. */
function leftOver(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .filter(file =>
      /['"](?:next-auth|@auth\/core)['"/]/.test(readFileSync(join(folder, file), 'utf8')),
    )
}

describe('an application of Auth.js, moved by siteauth from-authjs', { timeout: 600_000 }, () => {
  const apps: Moved[] = []
  const moved = async (name: string) => {
    const app = await move(name)
    apps.push(app)
    return app
  }

  afterAll(() => {
    for (const app of apps) app.remove()
  })

  it.each(['split', 'pages-router', 'prisma', 'v4', 'express'])(
    'type-checks as it is: %s',
    async name => {
      const { folder } = await moved(name)
      expect(leftOver(folder)).toEqual([])
      expect(typeErrors(folder)).toBe('')
    },
  )

  it('type-checks once what was sent with an update is checked: actions', async () => {
    const { folder, write } = await moved('actions')
    expect(leftOver(folder)).toEqual([])
    const errors = typeErrors(folder).trim().split('\n')
    expect(errors).toEqual([expect.stringMatching(/^.*auth\.ts.*'session' is of type 'unknown'/)])
    write(
      'session-update.ts',
      blockOf(({ info }) => info.includes('session-update.ts')),
    )
    const auth = readFileSync(join(folder, 'auth.ts'), 'utf8')
    write(
      'auth.ts',
      `import { nameIn } from './session-update'\n${auth.replace('session.user.name', 'nameIn(session) ?? token.name')}`,
    )
    expect(typeErrors(folder)).toBe('')
  })

  // Built are those that differ for the bundler, or in how their proxy is exported. What `actions` is made of
  // is built in `forms`.
  it('is built with a proxy beside an adapter, the default as it was made: split, and beside it prisma', async () => {
    const app = await moved('split')
    // What Prisma brings only has to be bundled, for which a route is enough.
    cpSync((await moved('prisma')).folder, join(app.folder, 'app/prisma'), { recursive: true })
    await app.build(DATABASE, '--turbopack')
    await expectToSendStrangersToSignIn(app, '/dashboard', '/login')
  })

  it('is built with what withAuth and getServerSession became: v4', async () => {
    const app = await moved('v4')
    await app.build(DATABASE, '--turbopack')
    await expectToSendStrangersToSignIn(app, '/dashboard', '/api/auth/signin')
  })

  it('is built with a proxy passed on under its name: pages-router', async () => {
    const app = await moved('pages-router')
    app.write(
      'guard.ts',
      `import SiteAuth from '@siteauth/next'
      export const { auth } = SiteAuth({ providers: [], callbacks: { authorized: () => false } })`,
    )
    app.write(
      'proxy.ts',
      `export { auth as proxy } from './guard'
      export const config = { matcher: '/members' }`,
    )
    await app.build({}, '--turbopack')
    await expectToSendStrangersToSignIn(app, '/members', '/api/auth/signin')
  })
})

const DATABASE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }

async function expectToSendStrangersToSignIn(
  { start }: NextApp,
  path: string,
  signIn: string,
): Promise<void> {
  const { origin, stop } = await start(DATABASE)
  try {
    const { status, location } = await createVisitor(origin).get(path)
    expect(status).toBe(307)
    expect(new URL(location ?? '', origin).pathname).toBe(signIn)
  } finally {
    await stop()
  }
}
