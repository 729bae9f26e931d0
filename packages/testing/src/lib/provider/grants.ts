import type { SignInFailure } from './failure.ts'
import type { FakePerson } from './fake-person.ts'

/** What one sign-in has granted. */
export interface Grant {
  readonly person: FakePerson
  /** The name of the person's session at the provider. */
  readonly sid: string
  readonly scope: string
  readonly nonce: string | null
  /** What goes wrong with this sign-in alone. */
  readonly failure: SignInFailure | undefined
}

/** A code, and what it has to come with. */
interface IssuedCode {
  readonly grant: Grant
  readonly challenge: string | null
  readonly redirectUri: string | null
}

/** Makes tokens. */
export type IssueToken = (kind: 'access' | 'refresh', person: FakePerson) => string

/** The codes and tokens that a provider has given, each good for what it was given for. */
export interface Grants {
  addCode(issued: IssuedCode): string
  /** Null if the code is unknown, was used, or belongs to something else. */
  redeemCode(parameters: URLSearchParams): Promise<Grant | null>
  /** A pair of tokens. An access token works until then, in milliseconds since 1970. */
  addTokens(grant: Grant, expires: number): { readonly access: string; readonly refresh: string }
  /** Null if the token was used before, which ends all that the person granted: RFC 9700 §2.2.2. */
  redeemRefreshToken(token: string): Grant | null
  /** Null if the token is unknown, revoked or over. */
  openAccessToken(token: string, now: number): Grant | null
  revoke(token: string): void
}

export function createGrants(issueToken: IssueToken = randomToken): Grants {
  const codes = new Map<string, IssuedCode>()
  const accessTokens = new Map<string, { readonly grant: Grant; readonly expires: number }>()
  const refreshTokens = new Map<string, { readonly grant: Grant; readonly isUsed: boolean }>()

  function endGrant(ended: Grant): void {
    for (const tokens of [accessTokens, refreshTokens]) {
      for (const [token, { grant }] of tokens) if (grant === ended) tokens.delete(token)
    }
  }

  return {
    addCode(issued) {
      const code = `code-${crypto.randomUUID()}`
      codes.set(code, issued)
      return code
    },
    async redeemCode(parameters) {
      const code = parameters.get('code') ?? ''
      const issued = codes.get(code)
      codes.delete(code)
      if (!issued) return null
      const { grant, challenge, redirectUri } = issued
      if (redirectUri !== parameters.get('redirect_uri')) return null
      const verifier = parameters.get('code_verifier')
      return challenge === (verifier === null ? null : await s256(verifier)) ? grant : null
    },
    addTokens(grant, expires) {
      const access = issueToken('access', grant.person)
      const refresh = issueToken('refresh', grant.person)
      accessTokens.set(access, { grant, expires })
      refreshTokens.set(refresh, { grant, isUsed: false })
      return { access, refresh }
    },
    redeemRefreshToken(token) {
      const found = refreshTokens.get(token)
      if (!found) return null
      if (found.isUsed) {
        endGrant(found.grant)
        return null
      }
      refreshTokens.set(token, { ...found, isUsed: true })
      return found.grant
    },
    openAccessToken(token, now) {
      const found = accessTokens.get(token)
      return found && found.expires > now ? found.grant : null
    },
    revoke(token) {
      const { grant } = refreshTokens.get(token) ?? {}
      if (grant) endGrant(grant)
      accessTokens.delete(token)
    },
  }
}

function randomToken(kind: string, { sub }: FakePerson): string {
  return `${kind}-${encodeURIComponent(sub)}-${crypto.randomUUID()}`
}

async function s256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('base64url')
}
