import type { AuthConfig } from '@siteauth/core'
import { TooManyAttempts } from '@siteauth/core/errors'
import Credentials from '@siteauth/core/providers/credentials'
import type { EventCallbacks } from '@siteauth/core/types'
import { createTestAuth, Visitor } from '../visitor.ts'

/** An application with limits, a clock of the test's own, and two people with passwords. */
export function guardedApplication(
  config: Partial<AuthConfig> = {},
  env: Readonly<Record<string, string>> = {},
) {
  const clock = { now: Date.UTC(2030, 0, 1) }
  /** What `authorize` was asked. */
  const guesses: string[] = []
  const told: Parameters<EventCallbacks['tooManyAttempts']>[0][] = []
  const auth = createTestAuth(
    {
      trustHost: true,
      limits: true,
      clientAddress: { header: 'x-test-address' },
      ports: { now: () => clock.now },
      events: { tooManyAttempts: message => void told.push(message) },
      providers: [
        Credentials({
          credentials: { username: {}, password: { type: 'password' } },
          authorize({ username, password }) {
            guesses.push(`${String(username)}:${String(password)}`)
            return password === `right ${String(username).trim().toLowerCase()}`
              ? { id: String(username), name: String(username) }
              : null
          },
        }),
      ],
      ...config,
    },
    env,
  )
  return {
    ...auth,
    clock,
    guesses,
    told,
    /** A browser at an address. */
    visitor: (address = '192.0.2.1') =>
      new Visitor(request => {
        const headers = new Headers(request.headers)
        if (address) headers.set('x-test-address', address)
        return auth.handle(new Request(request, { headers }))
      }),
  }
}

/** Guesses at the function door, which takes less time than a form: from an address, in a new browser. */
export function guessFrom(
  app: Pick<ReturnType<typeof guardedApplication>, 'signIn'>,
  address: string,
  username: string,
): Promise<'refused' | number> {
  const request = new Request('https://app.example.com/login', {
    headers: { 'x-test-address': address },
  })
  return app.signIn(request, 'credentials', { username, password: 'wrong' }).then(
    () => {
      throw new Error('a wrong password signed in')
    },
    failure => (failure instanceof TooManyAttempts ? failure.retryAfter : 'refused'),
  )
}

/** Signs in, or tries to. Answers the status, or how many seconds to wait. */
export async function tryPassword(
  visitor: Visitor,
  username: string,
  password: string,
): Promise<'in' | 'refused' | number> {
  const response = await visitor.post('/callback/credentials', { username, password })
  if (response.status === 429) return Number(response.headers.get('retry-after'))
  const to = response.headers.get('location') ?? ''
  return to.includes('error=') ? 'refused' : 'in'
}
