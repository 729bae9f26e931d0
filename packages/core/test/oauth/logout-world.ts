import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { OIDCConfig } from '@siteauth/core/providers'
import type { Profile } from '@siteauth/core/types'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, type Recorded, Visitor } from '../visitor.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer, type FakeServer } from './fake-server.ts'

/** What every logout token says: OpenID Connect Back-Channel Logout §2.4. */
export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** An application with a log of what was ended, and a provider that may end sessions. */
export interface LogoutWorld {
  readonly op: FakeServer
  readonly auth: AuthInstance & Recorded
  readonly clock: { now: number }
  /** Signs somebody in, in a browser of their own, within a session at the provider. */
  signIn(who: string, sid?: string, id?: string): Promise<Visitor>
  /** The claims of a notice, as they should be, but for these. */
  notice(claims: Record<string, unknown>): Record<string, unknown>
  /** The provider sends a notice. */
  send(claims: Record<string, unknown>, header?: { typ?: string; kid?: string }): Promise<Response>
  /** Anybody sends anything to the endpoint. */
  post(body: BodyInit, init?: RequestInit & { id?: string }): Promise<Response>
}

export type ProviderOptions = Partial<OIDCConfig<Profile>>

export function providerOf(issuer: string, more: ProviderOptions = {}): OIDCConfig<Profile> {
  return {
    id: 'op',
    name: 'OP',
    type: 'oidc',
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    backChannelLogout: true,
    ...more,
  }
}

export async function createLogoutWorld(
  config: Partial<AuthConfig> = {},
  provider: ProviderOptions = {},
  { issuer = 'https://op.test' } = {},
): Promise<LogoutWorld> {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const op = await createFakeServer({ issuer, alg: 'ES256', now: () => clock.now })
  const auth = createTestAuth({
    adapter: MemoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [providerOf(issuer, provider)],
    ports: { fetch: op.fetch, now: () => clock.now },
    ...config,
  })
  let notices = 0

  function notice(claims: Record<string, unknown>): Record<string, unknown> {
    const iat = Math.floor(clock.now / 1000)
    notices += 1
    const events = { [LOGOUT_EVENT]: {} }
    return {
      iss: issuer,
      aud: CLIENT_ID,
      iat,
      exp: iat + 120,
      jti: `n${notices}`,
      events,
      ...claims,
    }
  }

  function post(body: BodyInit, { id = 'op', ...init }: RequestInit & { id?: string } = {}) {
    const url = `https://app.example.com/auth/backchannel-logout/${id}`
    return auth.handle(new Request(url, { method: 'POST', body, ...init }))
  }

  return {
    op,
    auth,
    clock,
    notice,
    post,
    async signIn(who, sid, id = 'op') {
      const visitor = new Visitor(auth.handle)
      op.faults.claims = claims => ({
        ...claims,
        sub: who,
        name: who,
        email: `${who}@op.test`,
        sid,
      })
      const started = await visitor.post(`/signin/${id}`)
      const url = new URL(started.headers.get('location') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = op.authorize(url).toString()
      await visitor.send(back.href)
      return visitor
    },
    async send(claims, header = { typ: 'logout+jwt' }) {
      const logout_token = await op.sign(notice(claims), header)
      return post(new URLSearchParams({ logout_token }))
    },
  }
}
