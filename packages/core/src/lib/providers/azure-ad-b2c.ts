/** Where a policy of Azure AD B2C is found, taken from the issuer that people copy. */
export interface B2CEndpoints {
  authorization: string
  token: string
  keys: string
}

const POLICY_ISSUER = /^(https:\/\/[^/]+\/[^/]+\/[^/]+)\/v2\.0$/
const TOKEN_ISSUER = /^\/(tfp\/)?[\da-f-]{36}\/([\w.-]+\/)?v2\.0\/$/i

/**
 * The endpoints of a policy. Derived, because its metadata names another issuer than the one that
 * leads to the metadata. Undefined for an issuer of another form.
 */
export function b2cEndpoints(issuer: string): B2CEndpoints | undefined {
  const [, policy] = POLICY_ISSUER.exec(issuer) ?? []
  if (!policy) return undefined
  return {
    authorization: `${policy}/oauth2/v2.0/authorize`,
    token: `${policy}/oauth2/v2.0/token`,
    keys: `${policy}/discovery/v2.0/keys`,
  }
}

/** Tokens name the tenant by its id: any such issuer is right, as long as it is on the same host. */
export function b2cIssuer(issuer: string, { iss }: Readonly<Record<string, unknown>>): string {
  if (typeof iss !== 'string' || !URL.canParse(iss)) return issuer
  const { origin, pathname } = new URL(iss)
  return origin === new URL(issuer).origin && TOKEN_ISSUER.test(pathname) ? iss : issuer
}
