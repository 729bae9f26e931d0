import type * as oauth from 'oauth4webapi'
import type { Profile } from '../../base/user.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { ProviderError } from '../provider-error.ts'
import { withoutQuery } from '../secure-url.ts'
import type { Endpoints } from './endpoints.ts'
import { urlOf } from './parameters.ts'

/** Where the metadata of a server is, and whose it may be. */
export interface Discovery {
  readonly url: string
  /** The issuers that the document may name. */
  readonly issuers: readonly string[]
  /** Set where the issuer depends on who signs in: any issuer at this origin will do then. */
  readonly origin: string | undefined
}

/** The facts that decide what a provider has to be asked for. */
interface Undiscovered extends Endpoints {
  readonly config: OAuthConfig<Profile>
  readonly type: 'oauth' | 'oidc'
  readonly issuer: string | undefined
  readonly profileFrom: 'id_token' | 'userinfo'
  readonly endsAtProvider: boolean
  readonly client: oauth.Client
}

/** Decides where the metadata of a provider is. Undefined if everything that is needed is configured. */
export function resolveDiscovery(provider: Undiscovered): Discovery | undefined {
  const { config, issuer, type } = provider
  const { wellKnown } = config
  const missing = missingEndpoints(provider)
  if (!issuer && !wellKnown) {
    if (missing.length > 0) {
      throw new ProviderError(`it needs an issuer, or ${list(missing)}`)
    }
    if (type === 'oidc') throw new ProviderError('issuer is not set, so no id_token can be checked')
    return undefined
  }
  if (missing.length === 0) return undefined
  const url = wellKnown ?? `${issuer?.replace(/\/$/, '')}${WELL_KNOWN}`
  const issuers = [issuer, wellKnown && issuerAbove(wellKnown)].filter(each => !!each)
  if (issuers.length === 0) {
    throw new ProviderError(`wellKnown does not end in ${WELL_KNOWN}, so issuer must be set`)
  }
  const origin = config.issuerFor ? urlOf('discovery', url).origin : undefined
  return Object.freeze({ url, issuers: Object.freeze(issuers as string[]), origin }) // empty ones are gone
}

const WELL_KNOWN = '/.well-known/openid-configuration'

/** OIDC Discovery §4.3: the issuer is what stands before the well-known path. */
function issuerAbove(wellKnown: string): string | undefined {
  const url = urlOf('wellKnown', wellKnown)
  const address = withoutQuery(url)
  if (address.endsWith(WELL_KNOWN)) return address.slice(0, -WELL_KNOWN.length)
  // RFC 8414 §3.1 puts it between host and path instead.
  const between = '/.well-known/oauth-authorization-server'
  if (!url.pathname.startsWith(between)) return undefined
  return url.origin + url.pathname.slice(between.length)
}

function missingEndpoints(provider: Undiscovered): string[] {
  const { authorization, token, userinfo, profileFrom, type, client, jwksUri } = provider
  const bySecret = client.id_token_signed_response_alg?.startsWith('HS')
  const needed: Readonly<Record<string, unknown>> = {
    authorization: authorization.url,
    token: token.url ?? token.request,
    userinfo: profileFrom === 'id_token' || (userinfo.url ?? userinfo.request),
    jwks_endpoint: type === 'oauth' || bySecret || jwksUri,
    // Plain OAuth has no place where it could be found.
    endSession: type === 'oauth' || !provider.endsAtProvider || provider.endSession.url,
  }
  return Object.keys(needed).filter(name => !needed[name])
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
