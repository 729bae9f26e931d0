import type { Session } from '@siteauth/core/types'
import { readSettings } from './suite-variables.ts'

/** The part of an application under test that the attacks on its guards need. */
export interface GuardProbe {
  /**
   * Whether the application has one guard in front of everything, with `except` and `allow` of this object, and none in its
   * routes. Otherwise, each route calls its own guard.
   */
  readonly isInFront: boolean
  /** The paths of what visitors may see in front of a guard: as most frameworks write them, with a slash. */
  readonly except: readonly ['/login', 'POST /login', '/ran']
  /** Lets only Ada pass. */
  readonly allow: (session: Session) => boolean
  /** Counts that a guarded handler has run. Returns what the handler has to answer. */
  ran(): string
  /** How often a guarded handler has run, for `GET /ran`. */
  readonly count: number
  /** The text that `GET /login` has to answer. */
  readonly signInPage: string
}

/** The answer of a guarded handler. */
export const GUARDED_TEXT = 'Behind the guard.'

/** The answer of the sign-in page of the application. */
export const SIGN_IN_TEXT = 'Sign in here.'

/**
 * Creates what the attacks of `integrationSuite` need of an application.
 *
 * @param env what the suite passes to `start`
 *
 * @example
 * ```ts
 * import { createAuth } from '@siteauth/core'
 * import { guardProbe } from '@siteauth/testing/integration-config'
 *
 * const auth = createAuth({ providers: [] })
 * const probe = guardProbe(process.env)
 *
 * export async function files(request: Request): Promise<Response> {
 *   const session = probe.isInFront || (await auth.getSession(request))
 *   return session ? new Response(probe.ran()) : new Response('Unauthorized', { status: 401 })
 * }
 * ```
 */
export function guardProbe(env: Readonly<Record<string, string | undefined>>): GuardProbe {
  return {
    // Not before it is asked for: while an application is built, the variables are not there.
    get isInFront() {
      return readSettings(env).guard === 'front'
    },
    except: ['/login', 'POST /login', '/ran'],
    allow: ({ user }) => user?.name === 'Ada',
    ran() {
      counter().count++
      return GUARDED_TEXT
    },
    get count() {
      return counter().count
    },
    signInPage: SIGN_IN_TEXT,
  }
}

/** One for the process: frameworks may bundle this module several times. */
function counter(): { count: number } {
  const shared = globalThis as { [COUNTER]?: { count: number } }
  shared[COUNTER] ??= { count: 0 }
  return shared[COUNTER]
}

const COUNTER: unique symbol = Symbol.for('@siteauth/testing: guarded handlers that ran') as never // is this one
