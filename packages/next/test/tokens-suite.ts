import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/servers.mjs'
import { type RealProvider, startRealProvider } from '../../core/test/oauth/real-provider.ts'
import type { NextApp, RunningApp } from './next-app.ts'
import { createVisitor, type Visitor } from './visitor.ts'

const LIFETIME = 4
const REFRESHES = 2
/** For how many seconds it goes on at least: `TEST_TOKENS_SECONDS=60` for a long look. */
const SECONDS = Number(process.env['TEST_TOKENS_SECONDS'] ?? 0)

/**
 * Several tabs, a server component, a proxy and a route handler, over access tokens that expire every few
 * seconds, of a provider that ends the grant if a refresh token is used twice.
 */
export function tokensSuite(app: () => NextApp): void {
  describe('with tokens that expire every few seconds', () => {
    let provider: RealProvider
    let running: RunningApp

    beforeAll(async () => {
      const port = await freePort()
      const origin = `http://127.0.0.1:${port}`
      provider = await startRealProvider({
        clients: [{ client_id: 'app', client_secret: 'a secret of the client, which is long' }],
        redirectUris: ['kept', 'stored'].map(kind => `${origin}/${kind}-auth/callback/company`),
        refreshTokens: { lifetime: LIFETIME, rotates: true },
      })
      running = await app().start({ FIXTURE_ISSUER: provider.issuer }, '-p', String(port))
    }, 60_000)

    afterAll(async () => {
      await running?.stop()
      await provider?.close()
    })

    async function signIn(kind: string): Promise<Visitor> {
      const visitor = createVisitor(running.origin)
      const { who } = await visitor.get(`/${kind}-auth/csrf`)
      const { csrfToken } = who as { csrfToken: string }
      const started = await visitor.post(
        `/${kind}-auth/signin/company`,
        new URLSearchParams({ csrfToken }),
      )
      const landing = await provider.visit(new URL(started.location ?? ''))
      await visitor.get(landing.url.pathname + landing.url.search)
      return visitor
    }

    it.each(['kept', 'stored'])(
      'all are served, and no refresh token is lost: %s',
      async kind => {
        const visitor = await signIn(kind)
        const before = provider.count('/token')
        const refreshes = () => provider.count('/token') - before
        const seen = new Set<string>()
        const end = Date.now() + SECONDS * 1000
        let served = 0
        while (refreshes() < REFRESHES || Date.now() < end) {
          const page = () => visitor.get(`/tokens/${kind}`)
          const handler = () => visitor.get(`/api/tokens/${kind}`)
          const answers = await Promise.all([page(), page(), handler(), page(), handler()])
          for (const { who } of answers) seen.add((who as { name: string }).name)
          served += answers.length
        }
        const tokens = seen.size
        if (SECONDS > 0)
          console.log(`${kind}: ${served} requests, ${refreshes()} refreshes, ${tokens} tokens`)
        expect([...seen].filter(name => name.startsWith('error'))).toEqual([])
        // One of the sign-in, and one for each refresh but the last, which nobody may have seen yet.
        expect(tokens).toBeGreaterThanOrEqual(refreshes())
        expect(tokens).toBeLessThanOrEqual(refreshes() + 1)
      },
      120_000 + SECONDS * 1000,
    )
  })
}
