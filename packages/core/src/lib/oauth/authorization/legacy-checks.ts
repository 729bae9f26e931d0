// Only for Auth.js: sign-ins that it began, and that end after an application has swapped.
import { equalInConstantTime } from '#crypto'
import type { Sealer } from '../../crypto/jwe.ts'
import type { CookieJar } from '../../http/cookies.ts'

/** The names of the cookies in which Auth.js kept one value each. */
export interface CheckCookieNames {
  readonly state: string
  readonly pkceCodeVerifier: string
  readonly nonce: string
}

/** The attempt as that library stored it. */
export interface LegacyChecks {
  readonly state: string | undefined
  readonly codeVerifier: string | undefined
  readonly nonce: string | undefined
  readonly cookiesToClear: readonly string[]
}

/**
 * Reads an attempt that Auth.js started, so that users who are at a provider when an application swaps need not start
 * again. Auth.js used state, PKCE and nonce as the provider asked, and only PKCE by default: so at least one must
 * exist, and those that exist must match.
 */
export async function openLegacyChecks(
  provider: { readonly id: string; readonly type: 'oauth' | 'oidc' },
  response: {
    readonly state: string | null
    readonly cookies: CookieJar
    readonly cookieNames: CheckCookieNames
    readonly sealerFor: (purpose: string) => Sealer
    readonly now: number
  },
): Promise<LegacyChecks | null> {
  const { cookies, cookieNames, sealerFor, now } = response
  const cookiesToClear: string[] = []
  const values: Partial<Record<keyof CheckCookieNames, string>> = {}
  for (const kind of ['state', 'pkceCodeVerifier', 'nonce'] as const) {
    const name = olderName(cookieNames[kind])
    const sealed = cookies[name]
    const value = sealed ? await openValue(sealed, provider.id, sealerFor(name), now) : null
    if (value === null) continue
    values[kind] = value
    cookiesToClear.push(name)
  }
  const { state, pkceCodeVerifier: codeVerifier } = values
  // Only an id_token brings a nonce back.
  const nonce = provider.type === 'oidc' ? values.nonce : undefined
  // Whichever of the two there is, the other must be its equal.
  if (!equalInConstantTime(state ?? '', response.state ?? '')) return null
  if (!state && !codeVerifier && !nonce) return null
  return { state, codeVerifier, nonce, cookiesToClear }
}

/** Our own name for the state is stricter than that library's. */
function olderName(name: string): string {
  return name === '__Host-authjs.state' ? '__Secure-authjs.state' : name
}

async function openValue(
  sealed: string,
  provider: string,
  sealer: Sealer,
  now: number,
): Promise<string | null> {
  const opened = await sealer.open(sealed, now)
  if (typeof opened === 'string') return null
  const { claims } = opened
  // Ours are sealed for the same purpose. One that was moved here would lose its other checks.
  if ('redirectUri' in claims) return null
  const { value, provider: owner } = claims as { value?: unknown; provider?: unknown }
  return typeof value === 'string' && value !== '' && owner === provider ? value : null
}
