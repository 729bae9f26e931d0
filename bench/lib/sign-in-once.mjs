import { createSign, generateKeyPairSync } from 'node:crypto'

const SITE = 'http://localhost/auth'
/** What the application reads from its environment. */
const ENVIRONMENT = {
  AUTH_SECRET: 'a secret of at least thirty-two characters',
  AUTH_URL: 'http://localhost',
  AUTH_GITHUB_ID: 'client',
  AUTH_GITHUB_SECRET: 'secret',
  AUTH_GOOGLE_ID: 'client',
  AUTH_GOOGLE_SECRET: 'secret',
}

/**
 * Loads an application and signs somebody in with a provider, whose server is a function in place of
 * `fetch`. The application is a module with the instance as `auth`.
 */
export async function signInOnce(load, provider) {
  const server = provider === 'google' ? openIdServer() : plainServer()
  const { fetch } = globalThis
  Object.assign(process.env, ENVIRONMENT)
  globalThis.fetch = async input => Response.json(server.answers(new URL(input).pathname))
  try {
    const { auth } = await load()
    await signIn(auth.handle, provider, server)
  } finally {
    globalThis.fetch = fetch
    for (const name of Object.keys(ENVIRONMENT)) delete process.env[name]
  }
}

async function signIn(handle, provider, server) {
  const jar = new Map()
  const send = async (path, init = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(SITE + path, { ...init, headers: { ...init.headers, cookie } })
    const response = await handle(request)
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }
  const { csrfToken } = await (await send('/csrf')).json()
  const started = await send(`/signin/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost' },
    body: new URLSearchParams({ csrfToken }).toString(),
  })
  const asked = new URL(started.headers.get('location')).searchParams
  server.nonce = asked.get('nonce')
  const answer = new URLSearchParams({ code: 'code' })
  if (asked.has('state')) answer.set('state', asked.get('state'))
  await send(`/callback/${provider}?${answer}`)
  const session = await (await send('/session')).json()
  if (session?.user?.name !== 'Ann') throw new Error(`Nobody is signed in with ${provider}.`)
}

function plainServer() {
  return {
    answers: path =>
      path.endsWith('/access_token')
        ? { access_token: 'a', token_type: 'bearer' }
        : { id: 1, login: 'ann', name: 'Ann', email: 'ann@example.com' },
  }
}

function openIdServer() {
  const issuer = 'https://accounts.google.com'
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }]
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  }
  const server = {
    nonce: null,
    answers(path) {
      if (path.includes('/.well-known/')) return metadata
      if (path === '/keys') return { keys }
      return { access_token: 'a', token_type: 'bearer', id_token: idToken() }
    },
  }
  return server

  function idToken() {
    const iat = Math.floor(Date.now() / 1000)
    const person = { sub: '1', name: 'Ann', email: 'ann@example.com', email_verified: true }
    const nonce = server.nonce ? { nonce: server.nonce } : {}
    const claims = { iss: issuer, aud: 'client', iat, exp: iat + 300, ...person, ...nonce }
    const [head, body] = [{ alg: 'RS256', kid: 'k' }, claims].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const signature = createSign('RSA-SHA256').update(`${head}.${body}`).sign(privateKey)
    return `${head}.${body}.${signature.toString('base64url')}`
  }
}
