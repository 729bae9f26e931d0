import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'
import { passkeyPageSuite } from '../../core/test/webauthn/page-suite.ts'

const FILES = {
  'package.json': '{ "private": true, "type": "module" }',
  'next.config.mjs': 'export default { typescript: { ignoreBuildErrors: true } }',
  // Without one of its own, Next takes the file of that name in the sources of this package for it.
  'proxy.js': "export const config = { matcher: '/nothing' }; export function proxy() {}",
  // Kept where all bundles of the server find the same one.
  'store.js': `
    import { MemoryAdapter } from '@siteauth/adapters/memory'
    export const adapter = (globalThis.passkeyStore ??= MemoryAdapter())`,
  'auth.js': `
    import SiteAuth from '@siteauth/next'
    import Passkey from '@siteauth/next/providers/passkey'
    import { adapter } from './store'
    export const { handlers, auth } = SiteAuth({
      adapter,
      providers: [Passkey({ allowSignUpWithUnprovenEmail: true })],
      experimental: { enableWebAuthn: true },
    })`,
  'app/layout.js': `
    export default ({ children }) => (
      <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>
    )`,
  'app/page.js': `
    import { auth } from '../auth'
    export default async function Page() {
      const session = await auth()
      return <p>{\`\${session?.user?.email ?? 'Nobody'} is signed in.\`}</p>
    }`,
  'public/favicon.ico': '',
  'app/api/auth/[...siteauth]/route.js': `
    import { handlers } from '../../../../auth'
    export const { GET, POST } = handlers`,
  'app/remove/route.js': `
    import { adapter } from '../../store'
    export async function POST(request) {
      const user = await adapter.getUserByEmail(await request.text())
      await adapter.deleteUser(user.id)
      return new Response(null, { status: 204 })
    }`,
}

const isBuilt = existsSync(fileURLToPath(new URL('../dist/index.js', import.meta.url)))

// What is published is tested, so there must be a build: npm test makes one.
describe.skipIf(!isBuilt)('an application with Next', () => {
  passkeyPageSuite('Next', async () => {
    const folder = fileURLToPath(new URL('./.apps/passkeys/', import.meta.url))
    rmSync(folder, { recursive: true, force: true })
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    const build = next(folder, 'build')
    await once(build.child, 'exit')
    if (build.child.exitCode !== 0) throw new Error(build.log())
    const { child, log } = next(folder, 'start', '-p', '0', '-H', '127.0.0.1')
    const origin = `http://localhost:${await portOf(child, log)}`
    return {
      origin,
      basePath: '/api/auth',
      adapter: {
        // Whom the application knows by the address.
        getUserByEmail: email => ({ id: email, email, emailVerified: null }),
        async deleteUser(id) {
          await fetch(`${origin}/remove`, { method: 'POST', body: id })
        },
      },
      async close() {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
        rmSync(folder, { recursive: true, force: true })
      },
    }
  })
})

interface Running {
  readonly child: ChildProcess
  log(): string
}

function next(folder: string, ...words: string[]): Running {
  const manifest = createRequire(import.meta.url).resolve('next/package.json')
  const child = spawn(process.execPath, [join(dirname(manifest), 'dist/bin/next'), ...words], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      AUTH_SECRET: 'a secret of at least thirty-two characters',
      AUTH_TRUST_HOST: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (written += chunk))
  return { child, log: () => written }
}

async function portOf(child: ChildProcess, log: () => string): Promise<string> {
  for (;;) {
    const [, port] = /https?:\/\/[^\s:]+:(\d+)/.exec(log()) ?? []
    if (port && log().includes('Ready')) return port
    if (child.exitCode !== null) throw new Error(`next did not start\n${log()}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
