import type { TokenSet, User } from '../base/user.ts'
import { logoPath } from '../branding/logos/microsoft.ts'
import type { ProviderFacts, StandardClaims } from './define.ts'
import { fetchPhoto } from './fetch-photo.ts'
import { customFetch, type OAuthUserConfig } from './oauth.ts'
import { mapProfile } from './profile-map.ts'

/** The claims of Microsoft Entra ID about a person. */
export interface EntraIdProfile extends StandardClaims {
  /** The tenant that the person belongs to. */
  tid?: string
  /** The same for all applications of a tenant, while `sub` differs from one to the next. */
  oid?: string
  /** Neither verified nor permanent: do not identify people by it. */
  email?: string | null
  /** Whether the owner of the address's domain is known. An optional claim of the registration. */
  xms_edov?: boolean | string
}

/** The options of the Microsoft Entra ID provider beyond the usual. */
export interface EntraIdOptions {
  /**
   * The users who may sign in, if there is no `issuer`: the id or a domain of a tenant, `organizations`, `consumers`,
   * or `common` for everyone, which is the default.
   */
  tenantId?: string
  /** The size of the picture, in pixels; 48 by default. */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648
  /** Don't fetch the picture. It is kept in the session, and a large one makes a large cookie. */
  disableProfilePhoto?: boolean
}

const PERSONAL_ACCOUNTS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The definition of Microsoft Entra ID, for both of its names. */
export function entraId(
  id: string,
  name: string,
): (config: OAuthUserConfig<EntraIdProfile> & EntraIdOptions) => ProviderFacts<EntraIdProfile> {
  return config => {
    const issuer = issuerOf(config)
    const isDomain = namesDomain(issuer)
    // The metadata of `common` names the issuer `{tenantid}`, so the endpoints are derived instead. Those of
    // a domain name the id of its tenant, so they are requested.
    const authority =
      issuer.endsWith('/v2.0') && !isDomain ? issuer.slice(0, -'/v2.0'.length) : undefined
    return {
      id,
      name,
      issuer,
      consumes: ['issuer', 'tenantId', 'profilePhotoSize', 'disableProfilePhoto'],
      scope: 'openid profile email User.Read',
      ...(authority && {
        authorization: { url: `${authority}/oauth2/v2.0/authorize` },
        token: { url: `${authority}/oauth2/v2.0/token` },
        userinfo: { url: 'https://graph.microsoft.com/oidc/userinfo' },
        jwks: `${authority}/discovery/v2.0/keys`,
      }),
      clientAuth: 'post',
      issuerFor: isDomain ? issuerForDomain : issuerForTenant,
      // An administrator can give people any address, so that nothing else is proof:
      // https://learn.microsoft.com/en-us/entra/identity-platform/optional-claims-reference
      emailVerified: hasProvenDomain,
      profile: profileWithPhoto(config),
      style: { bg: '#0072c6', text: '#fff', logoPath },
    }
  }
}

function issuerOf({ issuer, tenantId }: { issuer?: string; tenantId?: string }): string {
  // The variable is read here too, because forgetting it would let every tenant in.
  const found = issuer ?? (tenantId ? undefined : variable('AUTH_MICROSOFT_ENTRA_ID_ISSUER'))
  const chosen = found ?? `https://login.microsoftonline.com/${tenantId ?? 'common'}/v2.0`
  return chosen.replace(/\/+$/, '')
}

function variable(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined
}

/** Names for several tenants, of which none issues a token under that name. */
const SEVERAL_TENANTS = ['common', 'organizations', 'consumers']

function tenantOf(issuer: string): string {
  const [, tenant = ''] = URL.canParse(issuer) ? new URL(issuer).pathname.split('/') : []
  return tenant
}

/** Whether an issuer names a tenant by one of its domains, as `https://login.microsoftonline.com/example.com/v2.0`. */
function namesDomain(issuer: string): boolean {
  const tenant = tenantOf(issuer)
  return tenant !== '' && !GUID.test(tenant) && !SEVERAL_TENANTS.includes(tenant)
}

/** The one tenant that a domain belongs to, by its id. If the metadata do not say, no token has the answer. */
function issuerForDomain(issuer: string, _claims: unknown, discovered = issuer): string {
  return GUID.test(tenantOf(discovered)) ? discovered : issuer
}

/** Tokens name the tenant of the person, by its id, whatever tenant is configured. */
function issuerForTenant(issuer: string, { tid }: Readonly<Record<string, unknown>>): string {
  const tenant = tenantOf(issuer)
  if (GUID.test(tenant) || typeof tid !== 'string' || !GUID.test(tid)) return issuer
  const isPersonal = tid === PERSONAL_ACCOUNTS
  // No token is issued under these names, so the answer refuses it.
  if (tenant === 'organizations' && isPersonal) return issuer
  if (tenant === 'consumers' && !isPersonal) return issuer
  return issuer.replace(`/${tenant}/`, `/${tid}/`)
}

/** Documented as a boolean, and also seen as a text. */
function hasProvenDomain({ xms_edov }: EntraIdProfile): boolean {
  return [true, 'true', '1'].includes(xms_edov ?? false)
}

function profileWithPhoto({
  profilePhotoSize = 48,
  disableProfilePhoto = false,
  [customFetch]: ownFetch,
}: EntraIdOptions & { [customFetch]?: typeof fetch }) {
  const map = { id: 'sub', name: 'name', email: 'email', image: null }
  const photo = `https://graph.microsoft.com/v1.0/me/photos/${profilePhotoSize}x${profilePhotoSize}/$value`
  return async (
    profile: EntraIdProfile,
    tokens: TokenSet,
    context?: { fetch?: typeof fetch },
  ): Promise<User> => {
    const user = mapProfile(map, profile, tokens)
    if (disableProfilePhoto || !tokens.access_token) return user
    const ask = context?.fetch ?? ownFetch ?? fetch
    return { ...user, image: await fetchPhoto(ask, photo, tokens.access_token) }
  }
}
