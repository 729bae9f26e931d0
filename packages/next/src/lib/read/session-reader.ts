import {
  type CheckedSession,
  checkSession,
  isSecure,
  type ReadingScheme,
  type SessionConfig,
  type SetCookie,
  schemeFor,
} from '@siteauth/core/internal'
import type { RequestAddress } from '../request-url.ts'

/** A request whose session is wanted. */
interface SessionSource {
  /** What stands for the request: the same object whenever it is read again. */
  readonly key: object
  readonly address: RequestAddress
  /** The cookies, as a `Cookie` header. Those of other names may be left out. */
  cookies(sessionCookie: string): string | null | undefined
  /** Whether new cookies reach the browser. */
  readonly renew: boolean
  /** Whether the `jwt` callback was asked about this request already. Absent where nobody can have. */
  readonly hasRunCallback?: CallbackCheck | undefined
  /** Sends new cookies to the browser, where it is not left to whoever reads. */
  store?(cookies: readonly SetCookie[]): void
}

/** Finds out whether the `jwt` callback was asked about a session, given the cookies it arrived in. */
export type CallbackCheck = (scheme: ReadingScheme, cookies: string) => Promise<boolean>

/** Reads sessions, each once per request. */
export interface SessionReader {
  read(config: SessionConfig, source: SessionSource): Promise<CheckedSession>
  /** Lets another name of the same request know what was read already. */
  share(from: object, to: object): void
}

interface CachedRead {
  readonly cookies: string
  readonly renewed: boolean
  readonly checked: Promise<CheckedSession>
}

/** Makes the reader of one application. */
export function createSessionReader(): SessionReader {
  const reads = new WeakMap<object, CachedRead>()
  return {
    read(config, source) {
      const { key, renew } = source
      const scheme = schemeFor(config, { secure: isSecure(config.origin, source.address) })
      const cookies = source.cookies(scheme.cookieOptions.sessionToken.name) ?? ''
      const cached = reads.get(key)
      // Signing in or out changes the cookies of the very request, and with them who it is from.
      if (cached?.cookies === cookies && (cached.renewed || !renew)) return cached.checked
      const checked = readNow(config, scheme, source, cookies)
      reads.set(key, { cookies, renewed: renew, checked })
      return checked
    },
    share(from, to) {
      const cached = reads.get(from)
      if (cached) reads.set(to, cached)
    },
  }
}

async function readNow(
  config: SessionConfig,
  scheme: ReadingScheme,
  { renew, hasRunCallback, store }: SessionSource,
  cookies: string,
): Promise<CheckedSession> {
  const isCallbackDone = hasRunCallback ? await hasRunCallback(scheme, cookies) : false
  const checked = await checkSession(config, scheme, cookies, {
    canRenew: renew,
    isCallbackDone,
  })
  store?.(checked.cookies)
  return checked
}
