import {
  type CheckedSession,
  checkSession,
  isSecure,
  type ReadingScheme,
  type SessionConfig,
  type SetCookie,
  schemeFor,
} from '@siteauth/core/integration'
import type { Addressed } from './addressed.ts'
import { ASKED_HEADER } from './asked.ts'
import { nowAndThen } from './load-now-and-then.ts'

/** A request whose session is wanted. */
interface SessionSource {
  /** What stands for the request: the same object whenever it is read again. */
  readonly key: object
  readonly sent: Addressed
  /** The cookies, as a `Cookie` header. Those of other names may be left out. */
  cookies(sessionCookie: string): string | null | undefined
  /** Whether new cookies reach the browser. */
  readonly renew: boolean
  /** What the request came with: routes and pages have parameters, and may be behind a proxy. */
  readonly context: unknown
  /** Sends them there, where it is not left to whoever reads. */
  store?(cookies: readonly SetCookie[]): void
}

/** Reads sessions, each once per request. */
export interface SessionReader {
  read(config: SessionConfig, source: SessionSource): Promise<CheckedSession>
  /** Lets another name of the same request know what was read already. */
  share(from: object, to: object): void
}

interface KeptRead {
  readonly cookies: string
  readonly renewed: boolean
  readonly checked: Promise<CheckedSession>
}

export function createSessionReader(): SessionReader {
  const reads = new WeakMap<object, KeptRead>()
  return {
    read(config, source) {
      const { key, renew } = source
      const scheme = schemeFor(config, { secure: isSecure(config.origin, source.sent) })
      const { name } = scheme.cookies.sessionToken
      const cookies = source.cookies(name) ?? ''
      const kept = reads.get(key)
      // Signing in or out changes the cookies of the very request, and with them who it is from.
      if (kept?.cookies === cookies && (kept.renewed || !renew)) return kept.checked
      const checked = readNow(config, scheme, source, cookies).then(found => {
        if (!source.store || found.cookies.length === 0) return found
        source.store(found.cookies)
        reads.set(key, { cookies: source.cookies(name) ?? '', renewed: renew, checked })
        return found
      })
      reads.set(key, { cookies, renewed: renew, checked })
      return checked
    },
    share(from, to) {
      const kept = reads.get(from)
      if (kept) reads.set(to, kept)
    },
  }
}

async function readNow(
  config: SessionConfig,
  scheme: ReadingScheme,
  { sent, renew, context }: SessionSource,
  cookies: string,
): Promise<CheckedSession> {
  const sealed = sent.header(ASKED_HEADER)
  const asked = sealed
    ? await nowAndThen(({ wasAsked }) => wasAsked(config, scheme, sealed, cookies, context))
    : false
  return checkSession(config, scheme, cookies, renew, asked)
}
