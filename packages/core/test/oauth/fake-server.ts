import * as jose from 'jose'

/** A request that the server was sent. */
interface SeenRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: URLSearchParams
}

/** What goes wrong. Each is off until it is switched on. */
export interface Faults {
  metadata?: (document: Record<string, unknown>) => Record<string, unknown>
  /** Changes the claims of id_tokens. Undefined members are left out. */
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Changes the header of id_tokens. */
  header?: (header: jose.JWTHeaderParameters) => jose.JWTHeaderParameters
  /** Makes the id_token itself. */
  idToken?: (claims: Record<string, unknown>) => Promise<string> | string
  tokens?: (tokens: Record<string, unknown>) => Record<string, unknown>
  profile?: (profile: Record<string, unknown>) => Record<string, unknown>
  /** Answers instead of an endpoint. */
  answer?: (path: string) => Response | undefined | Promise<Response | undefined>
}

/** An OpenID provider as a function. It signs everybody in as Ada. */
export interface FakeServer {
  readonly issuer: string
  readonly fetch: typeof fetch
  readonly requests: readonly SeenRequest[]
  readonly faults: Faults
  /** How often a path was asked for. */
  count(path: string): number
  /** What a visitor brings back who was sent to a URL and agreed. */
  authorize(url: URL): URLSearchParams
  /** From now on everything is signed by a new key. */
  rotateKeys(): Promise<void>
  publicJwk(): jose.JWK
  /** Signs claims as they are: undefined members are left out. */
  sign(claims: Record<string, unknown>, header?: Partial<jose.JWTHeaderParameters>): Promise<string>
}

export const CLIENT_ID = 'client'
export const CLIENT_SECRET = 'a client secret that is long enough'

export async function createFakeServer({
  issuer = 'https://op.test',
  alg = 'RS256',
  now = Date.now,
  advertiseIss = true,
} = {}): Promise<FakeServer> {
  const requests: SeenRequest[] = []
  const faults: Faults = {}
  const codes = new Map<string, { challenge: string | null; nonce: string | null }>()
  let keyNumber = 1
  let key = await signingKey(alg, keyNumber)

  async function signIdToken(claims: Record<string, unknown>): Promise<string> {
    if (faults.idToken) return faults.idToken(claims)
    const header: jose.JWTHeaderParameters = { alg, kid: key.kid }
    const signer = new jose.SignJWT(JSON.parse(JSON.stringify(claims)))
    return signer.setProtectedHeader(faults.header?.(header) ?? header).sign(key.privateKey)
  }

  async function answerToken({ body }: SeenRequest): Promise<Response> {
    const code = body.get('code') ?? ''
    const granted = codes.get(code)
    codes.delete(code)
    if (!granted) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    if (granted.challenge && granted.challenge !== (await s256(body.get('code_verifier') ?? ''))) {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    const iat = Math.floor(now() / 1000)
    const claims = {
      iss: issuer,
      aud: CLIENT_ID,
      sub: 'ada',
      iat,
      exp: iat + 300,
      nonce: granted.nonce ?? undefined,
      name: 'Ada Lovelace',
      email: 'Ada@Example.test',
      picture: 'https://op.test/ada.png',
    }
    const tokens = {
      access_token: 'at-ada',
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: 'rt-ada',
      scope: 'openid profile email',
      id_token: await signIdToken(faults.claims?.(claims) ?? claims),
    }
    return Response.json(faults.tokens?.(tokens) ?? tokens)
  }

  function answerUserinfo({ headers }: SeenRequest): Response {
    if (headers.get('authorization') !== 'Bearer at-ada') {
      return Response.json({ error: 'invalid_token' }, { status: 401 })
    }
    const profile = { sub: 'ada', name: 'Ada from userinfo', email: 'ada@example.test' }
    return Response.json(faults.profile?.(profile) ?? profile)
  }

  async function answer(request: SeenRequest): Promise<Response> {
    const path = request.url.pathname
    const instead = await faults.answer?.(path)
    if (instead) return instead
    if (path === '/.well-known/openid-configuration') {
      const document = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        end_session_endpoint: `${issuer}/logout`,
        revocation_endpoint: `${issuer}/revoke`,
        id_token_signing_alg_values_supported: [alg],
        authorization_response_iss_parameter_supported: advertiseIss,
      }
      return Response.json(faults.metadata?.(document) ?? document)
    }
    if (path === '/jwks') return Response.json({ keys: [key.jwk] })
    if (path === '/token') return answerToken(request)
    if (path === '/userinfo') return answerUserinfo(request)
    if (path === '/revoke') return new Response(null)
    return new Response('not found', { status: 404 })
  }

  return {
    issuer,
    requests,
    faults,
    fetch: async (input, init) => {
      const request = {
        url: new URL(input instanceof Request ? input.url : String(input)),
        method: init?.method ?? 'GET',
        headers: new Headers(init?.headers),
        body: new URLSearchParams(String(init?.body ?? '')),
      }
      requests.push(request)
      return answer(request)
    },
    count: path => requests.filter(({ url }) => url.pathname === path).length,
    authorize(url) {
      const code = `code-${codes.size + 1}-${crypto.randomUUID()}`
      const { searchParams } = url
      codes.set(code, {
        challenge: searchParams.get('code_challenge'),
        nonce: searchParams.get('nonce'),
      })
      const parameters = new URLSearchParams({ code })
      const state = searchParams.get('state')
      if (state) parameters.set('state', state)
      if (advertiseIss) parameters.set('iss', issuer)
      return parameters
    },
    async rotateKeys() {
      keyNumber += 1
      key = await signingKey(alg, keyNumber)
    },
    publicJwk: () => key.jwk,
    sign: (claims, header) =>
      new jose.SignJWT(JSON.parse(JSON.stringify(claims)))
        .setProtectedHeader({ alg, kid: key.kid, ...header })
        .sign(key.privateKey),
  }
}

interface SigningKey {
  readonly privateKey: jose.CryptoKey
  readonly jwk: jose.JWK
  readonly kid: string
}

// Shared by all servers, because making them takes long.
const signingKeys = new Map<string, Promise<SigningKey>>()

function signingKey(alg: string, number: number): Promise<SigningKey> {
  const kid = `${alg}-${number}`
  const key = signingKeys.get(kid) ?? createKey(alg, kid)
  signingKeys.set(kid, key)
  return key
}

async function createKey(alg: string, kid: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await jose.generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await jose.exportJWK(publicKey)), kid, alg, use: 'sig' }
  return { privateKey, jwk, kid }
}

async function s256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('base64url')
}
