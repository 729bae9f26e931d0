import { type AuthConfig, type AuthInstance, createAuth, type SessionRequest } from '@siteauth/core'
import type { LoggerInstance, Session } from '@siteauth/core/types'
import { Visitor } from '../../testing/src/index.ts'

export { Visitor }

/** A secret of good length, for tests. */
export const SECRET = 'a test secret that is long enough!'

/** Everything that was reported to a logger. */
export interface Recorded {
  readonly logger: LoggerInstance
  readonly errors: Error[]
  readonly warnings: string[]
  readonly debugs: unknown[][]
}

/** A logger that keeps what it is told. */
export function recordingLogger(): Recorded {
  const errors: Error[] = []
  const warnings: string[] = []
  const debugs: unknown[][] = []
  const logger: LoggerInstance = {
    error: error => void errors.push(error),
    warn: code => void warnings.push(code),
    debug: (...message) => void debugs.push(message),
  }
  return { logger, errors, warnings, debugs }
}

/** The library with a secret, a silent logger and an empty environment. */
export function createTestAuth(
  config: Partial<AuthConfig>,
  env: Readonly<Record<string, string>> = {},
): AuthInstance & Recorded {
  const recorded = recordingLogger()
  const auth = createAuth(
    { secret: SECRET, logger: recorded.logger, providers: [], ...config },
    { env: { NODE_ENV: 'test', ...env } },
  )
  return { ...auth, ...recorded }
}

/** What an application is warned of. It is, when one of its endpoints is first called. */
export async function warningsOf({
  handle,
  warnings,
}: Pick<AuthInstance, 'handle'> & Pick<Recorded, 'warnings'>): Promise<readonly string[]> {
  await handle(new Request('https://app.example.com/auth/csrf'))
  return warnings
}

/** Reads a session that cannot be renewed, because the cookies of the request have been taken. */
export function readWithoutRenewal(
  auth: Pick<AuthInstance, 'getSession' | 'takeSetCookies'>,
  request: SessionRequest,
): Promise<Session | null> {
  auth.takeSetCookies(request)
  return auth.getSession(request)
}

/** Gives the session of a browser a new token, as an application does on its server. Answers the session. */
export async function rotate(
  auth: Pick<AuthInstance, 'sessions' | 'takeSetCookies'>,
  visitor: Visitor,
): Promise<unknown> {
  const headers = { cookie: visitor.cookieHeader() }
  const request = { headers, url: 'https://app.example.com/' }
  const session = await auth.sessions.rotate(request)
  for (const line of auth.takeSetCookies(request)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    visitor.cookies.set(name, value)
  }
  return session
}
