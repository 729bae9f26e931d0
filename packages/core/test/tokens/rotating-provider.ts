import type { OAuthConfig } from '@siteauth/core/providers'
import type { Profile } from '@siteauth/core/types'

/** An OAuth server as a function. It rotates refresh tokens, and ends a grant when one is used twice. */
export interface RotatingProvider {
  readonly fetch: typeof fetch
  /** What the application is configured with, under any id. */
  config(id?: string): OAuthConfig<Profile>
  /** How often somebody came with a refresh token. */
  refreshes(): number
  /** How the server is, and can be made to be from now on. */
  readonly ways: {
    rotates: boolean
    /** Whether a refresh token that is used twice costs the whole grant, or is only refused. */
    endsGrants: boolean
    /** Seconds; undefined if it does not say. */
    expiresIn: number | undefined
    givesRefreshTokens: boolean
    scope: string
    /** Answers instead of the token endpoint, after it has done its work. */
    answer?: ((refreshToken: string | null) => Promise<Response | undefined>) | undefined
  }
  /** From now on it takes none of the access tokens that it gave. */
  forgetAccessTokens(): void
  /** Takes back what a person granted. */
  endGrants(): void
}

export const API = 'https://op.test/me'

interface Grant {
  readonly login: string
  isEnded: boolean
}

export function createRotatingProvider(): RotatingProvider {
  const refreshTokens = new Map<string, { readonly grant: Grant; isUsed: boolean }>()
  const accessTokens = new Map<string, string>()
  const grants: Grant[] = []
  let count = 0
  let refreshes = 0
  const ways: RotatingProvider['ways'] = {
    rotates: true,
    endsGrants: true,
    expiresIn: 3600,
    givesRefreshTokens: true,
    scope: 'read',
  }

  function issue(grant: Grant, keepsRefreshToken: boolean): Response {
    count += 1
    const access_token = `access-${grant.login}-${count}`
    const refresh_token = `refresh-${grant.login}-${count}-${crypto.randomUUID()}`
    accessTokens.set(access_token, grant.login)
    const isGiven = ways.givesRefreshTokens && !keepsRefreshToken
    if (isGiven) refreshTokens.set(refresh_token, { grant, isUsed: false })
    return Response.json({
      access_token,
      token_type: 'bearer',
      scope: ways.scope,
      ...(ways.expiresIn !== undefined && { expires_in: ways.expiresIn }),
      ...(isGiven && { refresh_token }),
    })
  }

  function refresh(token: string): Response {
    refreshes += 1
    const known = refreshTokens.get(token)
    if (known?.isUsed) known.grant.isEnded ||= ways.endsGrants
    if (!known || known.isUsed || known.grant.isEnded) {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    known.isUsed = ways.rotates
    return issue(known.grant, !ways.rotates)
  }

  async function answerToken(body: URLSearchParams): Promise<Response> {
    const token = body.get('refresh_token')
    let answer: Response
    if (body.get('grant_type') === 'refresh_token') answer = refresh(token ?? '')
    else {
      const grant = { login: body.get('code') ?? '', isEnded: false }
      grants.push(grant)
      answer = issue(grant, false)
    }
    return (await ways.answer?.(token)) ?? answer
  }

  const fetchIt: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    const headers = new Headers(init?.headers)
    if (url.pathname === '/token') return answerToken(new URLSearchParams(String(init?.body ?? '')))
    const login = accessTokens.get(headers.get('authorization')?.replace(/^Bearer /i, '') ?? '')
    if (login === undefined) return new Response('no', { status: 401 })
    return Response.json({ id: login, email: `${login}@example.test`, sent: init?.body ?? null })
  }

  return {
    fetch: fetchIt,
    ways,
    config: (id = 'op') => ({
      id,
      name: 'Provider',
      type: 'oauth',
      clientId: 'client',
      clientSecret: 'the secret of the client',
      authorization: 'https://op.test/authorize',
      token: 'https://op.test/token',
      userinfo: API,
      profile: ({ id: login, email }) => ({ id: String(login), email: email ?? null }),
    }),
    refreshes: () => refreshes,
    forgetAccessTokens: () => accessTokens.clear(),
    endGrants() {
      for (const grant of grants) grant.isEnded = true
    },
  }
}
