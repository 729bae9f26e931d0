import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { ListedSession } from '@siteauth/core/types'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, type Recorded, Visitor } from '../visitor.ts'

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

export const STRATEGIES = ['database', 'jwt'] as const

/** An application that keeps which sessions people have, in a store in memory. */
export function createPeople(
  strategy: (typeof STRATEGIES)[number],
  config: Partial<AuthConfig> = {},
) {
  // Not in the past to the store, which has a clock of its own.
  const clock = { now: Date.now() }
  const adapter = MemoryAdapter()
  const auth: AuthInstance & Recorded = createTestAuth({
    adapter,
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        async authorize({ who }) {
          const email = `${who}@example.com`
          const known = await adapter.getUserByEmail(email)
          return known ?? adapter.createUser({ id: String(who), email, emailVerified: null })
        },
      },
    ],
    ports: { now: () => clock.now },
    ...config,
    session: { strategy, ...(strategy === 'jwt' && { track: true }), ...config.session },
  })

  /** Somebody in a browser of their own. */
  async function signIn(
    who: string,
    headers: Record<string, string> = { 'user-agent': FIREFOX },
  ): Promise<Visitor> {
    const visitor = new Visitor(auth.handle)
    await visitor.post('/callback/password', { who }, headers)
    return visitor
  }

  /** The same browser, at this application. */
  function at(visitor: Visitor): Visitor {
    const copy = new Visitor(auth.handle)
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
    return copy
  }

  return { auth, adapter, clock, signIn, at }
}

export async function sessionsOf(visitor: Visitor): Promise<ListedSession[]> {
  return (await visitor.get('/sessions')).json() as Promise<ListedSession[]>
}

/** The handle by which a browser's own session is known. */
export async function handleOf(visitor: Visitor): Promise<string> {
  return (await sessionsOf(visitor)).find(({ isCurrent }) => isCurrent)?.handle ?? ''
}

/** The request of a browser, as functions take it. */
export function requestOf(visitor: Visitor, more: Record<string, string> = {}) {
  const headers = { cookie: visitor.cookieHeader(), ...more }
  return { headers, url: 'https://app.example.com/devices' }
}

/** Gives the session of a browser a new token. */
export async function rotate(auth: AuthInstance, visitor: Visitor): Promise<void> {
  const request = requestOf(visitor)
  await auth.sessions.rotate(request)
  for (const line of auth.takeSetCookies(request)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    visitor.cookies.set(name, value)
  }
}
