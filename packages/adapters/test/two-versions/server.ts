import { createServer, type IncomingMessage } from 'node:http'
import { createAuth } from '@siteauth/core'
import { Redis } from 'ioredis'
import { PostgresAdapter } from '../../src/postgres.ts'
import { RedisAdapter } from '../../src/redis.ts'

// One server of an application, built from the sources of today and of an earlier version, so it can use only what both have:
// server.js <store> <place> <strategy> <audience>

const ORIGIN = 'https://app.example.com'
const [store = '', place = '', strategy = '', audience = ''] = process.argv.slice(2)

const adapter = open()
const links: string[] = []

function open() {
  if (store === 'PostgreSQL') return PostgresAdapter({ url: place })
  const { href, hash } = new URL(place)
  return RedisAdapter({ client: new Redis(href.replace(hash, '')), prefix: hash.slice(1) })
}

/** A provider at which a person's code, token and id are the same. */
const fetchFromProvider: typeof fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  if (pathname === '/token') {
    const code = new URLSearchParams(String(init?.body)).get('code')
    return Response.json({ access_token: code, token_type: 'bearer' })
  }
  const id = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length)
  return Response.json({ id, name: id, email: `${id}@example.test` })
}

const mail = { type: 'email', sendVerificationRequest: send } as const

function send({ url }: { readonly url: string }): void {
  links.push(url)
}

const auth = createAuth(
  {
    secret: 'the secret of both versions, of 40 letters',
    adapter,
    logger: { error() {}, warn() {}, debug() {} },
    session: {
      strategy: strategy === 'jwt' ? 'jwt' : 'database',
      ...(strategy === 'jwt' && { track: true, revocation: { pollSeconds: 1 } }),
      ...(audience && { audience }),
    },
    callbacks: {
      session: ({ session, user, token }) => ({
        ...session,
        user: { ...session.user, id: user?.id ?? token?.sub },
      }),
    },
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        // Somebody else keeps the users who have no address.
        authorize: ({ email, id }) =>
          id ? { id: String(id) } : adapter.getUserByEmail(String(email)),
      },
      { ...mail, id: 'mail', name: 'Mail' },
      {
        ...mail,
        id: 'own',
        name: 'Own',
        generateVerificationToken: () => crypto.randomUUID(),
      },
      {
        id: 'op',
        name: 'Provider',
        type: 'oauth',
        clientId: 'client',
        clientSecret: 'the secret of the client',
        authorization: 'https://op.test/authorize',
        token: 'https://op.test/token',
        userinfo: 'https://op.test/me',
        profile: ({ id, name, email }) => ({
          id: String(id),
          name: String(name),
          email: String(email),
        }),
      },
    ],
    ports: { fetch: fetchFromProvider },
  },
  { env: { NODE_ENV: 'test', AUTH_URL: `${ORIGIN}/auth` } },
)

/** What the application does by itself. */
async function control(url: URL, cookie: string): Promise<Response> {
  if (url.pathname === '/control/links') return Response.json(links)
  if (url.pathname === '/control/end') {
    await auth.users.endSessions(url.searchParams.get('user') ?? '')
    return Response.json(null)
  }
  const request = { headers: { cookie }, url: `${ORIGIN}/` }
  const session = await auth.sessions.rotate(request)
  const headers = new Headers()
  for (const line of auth.takeSetCookies(request)) headers.append('set-cookie', line)
  return Response.json(session, { headers })
}

async function answer(incoming: IncomingMessage): Promise<Response> {
  const url = new URL(incoming.url ?? '', ORIGIN)
  const { cookie = '', 'content-type': type = '' } = incoming.headers
  if (url.pathname.startsWith('/control')) return control(url, cookie)
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = { cookie, ...(type && { 'content-type': type }) }
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  return auth.handle(new Request(url, { method: incoming.method ?? 'GET', headers, ...body }))
}

const server = createServer(async (incoming, outgoing) => {
  try {
    const response = await answer(incoming)
    const cookies = response.headers.getSetCookie()
    response.headers.delete('set-cookie')
    outgoing.writeHead(response.status, {
      ...Object.fromEntries(response.headers),
      'set-cookie': cookies,
    })
    outgoing.end(await response.text())
  } catch (error) {
    outgoing.writeHead(500).end(String(error))
  }
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${Object(server.address()).port}\n`)
})
