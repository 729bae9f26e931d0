import { describe } from 'vitest'
import { passkeyPageSuite } from '../../core/test/webauthn/page-suite.ts'
import { createApp } from './next-app.ts'

const FILES = {
  'package.json': '{ "private": true, "type": "module" }',
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

describe('an application with Next', () => {
  passkeyPageSuite('Next', 'what a server has a part in', async () => {
    const app = createApp(16, 'passkeys', [])
    for (const [file, text] of Object.entries(FILES)) app.write(file, text)
    await app.build()
    const { port, stop } = await app.start({}, '-H', '127.0.0.1')
    const origin = `http://localhost:${port}`
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
        await stop()
        app.remove()
      },
    }
  })
})
