import { primitives } from '#crypto'
import type { Profile } from '../../src/lib/base/user.ts'
import { createSealer, type Sealer } from '../../src/lib/crypto/jwe.ts'
import type { ExtraParameters } from '../../src/lib/oauth/authorization/authorization-url.ts'
import { chooseRedirectUri } from '../../src/lib/oauth/authorization/choose-redirect-uri.ts'
import { requestAuthorization } from '../../src/lib/oauth/authorization/request-authorization.ts'
import {
  createTransaction,
  openTransaction,
  sealTransaction,
  transactionError,
} from '../../src/lib/oauth/authorization/transaction.ts'
import { buildAccount, type SignedIn } from '../../src/lib/oauth/profile/build-account.ts'
import { loadProfile } from '../../src/lib/oauth/profile/load-profile.ts'
import {
  type ResolvedOAuthProvider,
  resolveOAuthProvider,
} from '../../src/lib/oauth/provider/resolve-provider.ts'
import { createServerDirectory, type ServerDirectory } from '../../src/lib/oauth/provider/server.ts'
import { type Exchange, exchangeCode } from '../../src/lib/oauth/token/exchange-code.ts'
import type { OAuthConfig } from '../../src/lib/providers/oauth.ts'

const COOKIES = {
  state: 'authjs.state',
  pkceCodeVerifier: 'authjs.pkce.code_verifier',
  nonce: 'authjs.nonce',
} as const

/** Sealers that keep their keys, as the configuration's do. */
function createSealers(secret = 'a test secret that is long enough!'): (purpose: string) => Sealer {
  const sealers = new Map<string, Sealer>()
  return purpose => {
    const sealer = sealers.get(purpose) ?? createSealer(primitives, [secret], purpose)
    sealers.set(purpose, sealer)
    return sealer
  }
}

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')
}

/** A provider that must resolve. */
function resolved(config: OAuthConfig<Profile>): ResolvedOAuthProvider {
  const provider = resolveOAuthProvider(config)
  if (provider instanceof Error) throw provider
  return provider
}

/** An application with one provider and one visitor: the steps that the flows join. */
export interface RelyingParty {
  readonly provider: ResolvedOAuthProvider
  readonly servers: ServerDirectory
  readonly cookies: Record<string, string>
  start(extra?: ExtraParameters): Promise<URL>
  /** From the callback to the tokens. */
  exchange(parameters: URLSearchParams): Promise<Exchange>
  /** From the callback to the account. */
  finish(parameters: URLSearchParams): Promise<SignedIn>
}

export function createRelyingParty(
  config: OAuthConfig<Profile>,
  options: {
    readonly callbackUrl?: string
    readonly fetch?: typeof fetch
    readonly now?: () => number
    readonly timeout?: number
  } = {},
): RelyingParty {
  const { callbackUrl = `https://app.test/auth/callback/${config.id}`, now = Date.now } = options
  const provider = resolved(config)
  const sealerFor = createSealers()
  const servers = createServerDirectory({
    fetch: options.fetch ?? fetch,
    now,
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
  })
  const cookies: Record<string, string> = {}

  async function exchange(parameters: URLSearchParams): Promise<Exchange> {
    const opened = await openTransaction(provider, {
      attempts: Object.entries(cookies).map(([name, value]) => ({ name, value })),
      state: parameters.get('state'),
      cookies,
      cookieNames: COOKIES,
      redirectUri: callbackUrl,
      sealerFor,
      now: now(),
    })
    for (const name of opened.cookiesToClear) delete cookies[name]
    if (!opened.ok) throw transactionError(opened.reason, provider.id)
    return exchangeCode(provider, parameters, opened.transaction, servers, now())
  }

  return {
    provider,
    servers,
    cookies,
    exchange,
    async start(extra = {}) {
      const { redirectUri, proxyOrigin } = chooseRedirectUri(provider, callbackUrl)
      const begun = await createTransaction(
        provider,
        { redirectUri, proxyOrigin, returnTo: 'https://app.test/', slot: randomHex(6) },
        { sealerFor, randomHex, now: now() },
      )
      const { url, transaction } = await requestAuthorization(
        provider,
        begun,
        extra,
        servers,
        now(),
      )
      const cookie = await sealTransaction(transaction, {
        cookieName: COOKIES.state,
        formPost: provider.formPost,
        sealerFor,
        now: now(),
      })
      cookies[cookie.name] = cookie.value
      return url
    },
    async finish(parameters) {
      const exchanged = await exchange(parameters)
      const profile = await loadProfile(provider, exchanged, parameters, servers, now())
      return buildAccount(provider, profile, exchanged.tokens)
    },
  }
}
