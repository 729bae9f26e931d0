import { createServer, type RequestListener, type Server } from 'node:http'
import * as jose from 'jose'
import { Provider } from 'oidc-provider'

/** A certified OpenID provider on loopback, with real login pages. */
export interface RealProvider {
  readonly issuer: string
  /** From now on everything is signed by new keys. */
  rotateKeys(): Promise<void>
  /** From now on there is this client as well. */
  register(client: Record<string, unknown>): Promise<void>
  /**
   * What a visitor brings to the callback URL who goes to an authorization URL, signs in under any
   * name and agrees. With `form_post`, the fields of the form.
   */
  visit(url: URL, login?: string): Promise<Landing>
  /** The same for a visitor who changes his mind. */
  decline(url: URL): Promise<Landing>
  /** How often a path was asked for. */
  count(path: string): number
  close(): Promise<void>
}

/** Where the visitor ended up. */
interface Landing {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly parameters: URLSearchParams
}

export interface RealProviderOptions {
  /** By the names of RFC 7591. `redirect_uris` and the grant types are added. */
  readonly clients: readonly Record<string, unknown>[]
  readonly redirectUris: readonly string[]
  /** What RFC 9126 calls a server that takes nothing else. */
  readonly requirePushedRequests?: boolean
  /** What the page that people sign out on has in a frame, by the names of their sessions for each client. */
  readonly framed?: (sidFor: (clientId: string) => string | undefined) => string | null
  /** Has it bind tokens to keys, and want a nonce of its own in every proof. */
  readonly dpop?: boolean
  /** Has it give refresh tokens to everybody. */
  readonly refreshTokens?: {
    /** How long access tokens live, in seconds. */
    readonly lifetime: number
    /** Whether each can be used once: a second use ends all that the person granted. */
    readonly rotates: boolean
  }
}

/** Starts a provider. Takes a second or two. */
export async function startRealProvider(options: RealProviderOptions): Promise<RealProvider> {
  let listener: RequestListener | undefined
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url?.split('?', 1)[0] ?? '')
    listener?.(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${portOf(server)}`

  const clients = [...options.clients]
  let generation = 0

  async function rotateKeys(): Promise<void> {
    generation += 1
    const jwks = { keys: await keysOf(generation) }
    const configuration = configurationOf({ ...options, clients }, jwks)
    listener = silently(() => new Provider(issuer, configuration).callback())
  }

  await rotateKeys()
  return {
    issuer,
    rotateKeys,
    register(client) {
      clients.push(client)
      return rotateKeys()
    },
    visit: (url, login = 'ada') => browse(url, issuer, login),
    decline: url => browse(url, issuer, null),
    count: path => asked.filter(each => each === path).length,
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the server does not listen')
  return address.port
}

// Shared by all providers, because making them takes long.
const keySets: Promise<jose.JWK[]>[] = []

/** One key per kind; the RSA key serves RS256 and PS256. */
function keysOf(generation: number): Promise<jose.JWK[]> {
  keySets[generation] ??= Promise.all(
    ['RS256', 'ES256', 'EdDSA'].map(async alg => {
      const { privateKey } = await jose.generateKeyPair(alg, { extractable: true })
      const kid = `${alg}-${generation}`
      return { ...(await jose.exportJWK(privateKey)), kid, use: 'sig' }
    }),
  )
  return keySets[generation]
}

function configurationOf(options: RealProviderOptions, jwks: object): object {
  const { redirectUris, requirePushedRequests = false, refreshTokens, framed } = options
  return {
    jwks,
    clients: options.clients.map(client => ({
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...client,
    })),
    enabledJWA: {
      idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519', 'HS256'],
    },
    // In seconds. Named, because the provider otherwise says on the console that it should be.
    ttl: {
      AccessToken: refreshTokens?.lifetime ?? 3600,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: 3600,
      Session: 3600,
    },
    ...(refreshTokens && {
      issueRefreshToken: () => true,
      rotateRefreshToken: refreshTokens.rotates,
    }),
    renderError: (context: { body: unknown }, out: object) => {
      context.body = JSON.stringify(out)
    },
    cookies: { keys: ['a key for the cookies of the provider'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Otherwise the id_token has little more than the subject.
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.test`, email_verified: true, name: id }),
    }),
    // It would speak with no server on loopback.
    fetch: (url: string, { dispatcher: _, ...init }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, init),
    features: {
      devInteractions: { enabled: true },
      jwtUserinfo: { enabled: true },
      backchannelLogout: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (
          _context: unknown,
          client: { clientId: string },
          token: { clientId: string },
        ) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: logoutPage(framed),
        postLogoutSuccessSource: (context: { body: unknown }) => {
          context.body = '<!DOCTYPE html><title>Signed out</title>'
        },
      },
      ...(options.dpop && {
        dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 1), requireNonce: () => true },
      }),
      pushedAuthorizationRequests: {
        enabled: true,
        requirePushedAuthorizationRequests: requirePushedRequests,
      },
    },
  }
}

/** As much as is read of what the provider knows while it answers. */
interface LogoutContext {
  body: unknown
  readonly oidc: { readonly session: { sidFor(clientId: string): string | undefined } }
}

function logoutPage(framed: RealProviderOptions['framed']) {
  return (context: LogoutContext, form: string) => {
    const { session } = context.oidc
    const url = framed?.(clientId => session.sidFor(clientId)) ?? null
    const frame = url === null ? '' : `<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>`
    context.body = `<!DOCTYPE html><title>Sign out</title>${form}${frame}
      <button type="submit" form="op.logoutForm" value="yes" name="logout">Yes</button>`
  }
}

/** The provider warns on the console that it is a quick start. That is what it is here. */
function silently<T>(start: () => T): T {
  const { info, warn } = console
  console.info = console.warn = () => {}
  try {
    return start()
  } finally {
    Object.assign(console, { info, warn })
  }
}

/** A browser without a screen: follows redirects, keeps cookies, fills in the two forms. */
async function browse(start: URL, issuer: string, login: string | null): Promise<Landing> {
  const jar = new Map<string, { value: string; path: string }>()
  let url = start
  let form: URLSearchParams | undefined
  for (let step = 0; step < 20; step++) {
    if (url.origin !== issuer) {
      return { method: 'GET', url, parameters: url.searchParams }
    }
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: cookiesFor(url, jar) },
      ...(form ? { method: 'POST', body: form } : {}),
    })
    keepCookies(response, jar)
    form = undefined
    const location = response.headers.get('location')
    if (location) {
      url = new URL(location, url)
      continue
    }
    const page = await response.text()
    const action = plainText(/<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? '')
    const target = action && new URL(action, url)
    if (!target) throw new Error(`no form at ${url.pathname}, status ${response.status}: ${page}`)
    if (target.origin !== issuer) {
      return { method: 'POST', url: target, parameters: fieldsOf(page) }
    }
    if (login === null) {
      url = new URL(`${url.pathname}/abort`, url)
      continue
    }
    form = fieldsOf(page)
    if (form.has('login')) {
      form.set('login', login)
      form.set('password', 'any')
    }
    url = target
  }
  throw new Error('the login pages have no end')
}

function cookiesFor(url: URL, jar: ReadonlyMap<string, { value: string; path: string }>): string {
  return [...jar]
    .filter(([, { path }]) => url.pathname.startsWith(path))
    .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
    .join('; ')
}

function keepCookies(response: Response, jar: Map<string, { value: string; path: string }>): void {
  for (const header of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
    const path = /;\s*path=([^;]+)/i.exec(header)?.[1] ?? '/'
    if (value) jar.set(`${name} ${path}`, { value, path })
    else jar.delete(`${name} ${path}`)
  }
}

function fieldsOf(page: string): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [input] of page.matchAll(/<input[^>]*>/g)) {
    const name = / name="([^"]*)"/.exec(input)?.[1]
    if (name) fields.set(name, plainText(/ value="([^"]*)"/.exec(input)?.[1] ?? ''))
  }
  return fields
}

function plainText(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
