import OAuth2Server from '@node-oauth/oauth2-server'
import { serve } from '../browser/serve.ts'

/** A server that knows OAuth 2 and nothing of OpenID Connect, at the paths that GitLab has. */
export interface PlainOAuthServer {
  readonly origin: string
  /** What it refused, and why. */
  readonly refusals: string[]
  /** How often a path was asked. */
  count(path: string): number
  /** From now on tokens are issued that it does not know when they come back. */
  forgetTokens(): void
  /** Where a visitor is sent who goes to an authorization URL, signs in and agrees. */
  visit(url: URL, login?: string): Promise<URL>
  /** The same for a visitor who does not agree. */
  decline(url: URL): Promise<URL>
  close(): Promise<void>
}

export const CLIENT_SECRET = 'the-secret-of-the-application'

/** The clients are named for how they have to authenticate. */
const clients = ['client_secret_basic', 'client_secret_post', 'none'] as const

const people = {
  ada: {
    id: 7,
    username: 'ada',
    name: 'Ada Lovelace',
    email: 'ada@example.test',
    avatar_url: null,
  },
}

export async function startPlainOAuthServer(
  redirectUris: readonly string[],
): Promise<PlainOAuthServer> {
  const asked: string[] = []
  const refusals: string[] = []
  const { forgetTokens, ...model } = createModel(redirectUris)
  const oauth = new OAuth2Server({ model })

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    asked.push(pathname)
    const query = Object.fromEntries(searchParams)
    const body = Object.fromEntries(new URLSearchParams(await request.text()))
    const headers = Object.fromEntries(request.headers)
    const wrapped = new OAuth2Server.Request({ method: request.method, headers, query, body })
    const response = new OAuth2Server.Response()
    try {
      switch (`${request.method} ${pathname}`) {
        case 'GET /oauth/authorize':
          return new Response(
            '<form method="POST"><input name="login"><button>Agree</button></form>',
          )
        case 'POST /oauth/authorize': {
          const user = Object.entries(people).find(([login]) => login === body['login'])?.[1]
          await oauth.authorize(wrapped, response, { authenticateHandler: { handle: () => user } })
          return toResponse(response)
        }
        case 'POST /oauth/token':
          demandMethod(headers, body)
          await oauth.token(wrapped, response)
          return toResponse(response)
        case 'GET /api/v4/user':
          return Response.json((await oauth.authenticate(wrapped, response)).user)
        default:
          return new Response('There is nothing here.', { status: 404 })
      }
    } catch (error) {
      if (!(error instanceof OAuth2Server.OAuthError)) throw error
      refusals.push(`${error.name}: ${error.message}`)
      // What has no answer yet is answered with the error itself.
      if (response.status === 200) {
        response.status = error.code
        response.body = { error: error.name, error_description: error.message }
      }
      return toResponse(response)
    }
  }

  async function submit(url: URL, fields: Record<string, string>): Promise<URL> {
    const form = await fetch(url)
    if (!(await form.text()).includes('<form')) throw new Error(`no form at ${url.pathname}`)
    const body = new URLSearchParams(fields)
    const answered = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    return new URL(answered.headers.get('location') ?? `no redirect: ${await answered.text()}`)
  }

  const { origin, close } = await serve(() => answer)
  return {
    origin,
    refusals,
    count: path => asked.filter(each => each === path).length,
    forgetTokens,
    visit: (url, login = 'ada') => submit(url, { login }),
    decline: url => submit(url, { login: 'ada', allowed: 'false' }),
    close,
  }
}

/** Everything that the server remembers. */
function createModel(
  redirectUris: readonly string[],
): OAuth2Server.AuthorizationCodeModel & { forgetTokens(): void } {
  const codes = new Map<string, OAuth2Server.AuthorizationCode>()
  const tokens = new Map<string, OAuth2Server.Token>()
  let remembers = true
  return {
    forgetTokens() {
      remembers = false
    },
    async getClient(clientId, clientSecret: string | null | undefined) {
      const id = clients.find(each => each === clientId)
      const secret = id === 'none' ? undefined : CLIENT_SECRET
      // Where somebody is only sent here, there is no secret to be asked for.
      if (!id || (clientSecret !== null && clientSecret !== secret)) return false
      return { id, redirectUris: [...redirectUris], grants: ['authorization_code'] }
    },
    async saveAuthorizationCode(code, client, user) {
      if (!code.codeChallenge || code.codeChallengeMethod !== 'S256') {
        throw new OAuth2Server.InvalidRequestError('a code challenge by S256 is needed')
      }
      const saved = { ...code, client, user }
      codes.set(code.authorizationCode, saved)
      return saved
    },
    getAuthorizationCode: async code => codes.get(code),
    revokeAuthorizationCode: async ({ authorizationCode }) => codes.delete(authorizationCode),
    async saveToken(token, client, user) {
      const saved = { ...token, client, user }
      if (remembers) tokens.set(token.accessToken, saved)
      return saved
    },
    getAccessToken: async token => tokens.get(token),
  }
}

/** The library would take a secret wherever it comes. */
function demandMethod(headers: Record<string, string>, body: Record<string, string>): void {
  const basic = /^Basic (.+)$/.exec(headers['authorization'] ?? '')?.[1]
  const used = basic ? clients[0] : body['client_secret'] ? clients[1] : clients[2]
  const client = basic ? atob(basic).split(':')[0] : body['client_id']
  if (client !== used) {
    throw new OAuth2Server.InvalidClientError(`expected ${client}, found ${used}`)
  }
}

function toResponse({ status = 200, headers = {}, body }: OAuth2Server.Response): Response {
  if (headers['location']) return new Response(null, { status, headers })
  return Response.json(body, { status, headers })
}
