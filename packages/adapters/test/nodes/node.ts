import { createServer } from 'node:http'
import { createAuth } from '@siteauth/core'
import type { OIDCConfig } from '@siteauth/core/providers'
import type { Profile } from '@siteauth/core/types'
import { Cluster } from 'ioredis'
import type { CompleteAdapter } from '../../src/memory.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { RedisAdapter } from '../../src/redis.ts'

// One server of an application that several run:
// node.js <store> <place> <seconds between polls> <channel> <issuer>
const [store = '', place = '', pollSeconds = '10', channel = 'channel', issuer] =
  process.argv.slice(2)
const { revocations, ...adapter } = open()
const { watch: _, ...polled } = revocations

const framed = { frontChannelLogout: true }

const auth = createAuth(
  {
    secret: 'a test secret that is long enough!',
    trustHost: true,
    basePath: '/whole/auth',
    adapter: { ...adapter, revocations },
    logger: { error() {}, warn() {}, debug() {} },
    limits: true,
    session: {
      strategy: 'jwt',
      revocation: {
        pollSeconds: Number(pollSeconds),
        maxStaleSeconds: Math.max(300, Number(pollSeconds)),
        ...(channel === 'channel' ? {} : { log: polled }),
      },
    },
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: ({ id }) => ({ id: String(id), name: String(id) }),
      },
      {
        id: 'guessed',
        name: 'Guessed',
        type: 'credentials',
        credentials: { username: {}, password: { type: 'password' } },
        authorize: ({ username, password }) =>
          password === 'right' ? { id: String(username), name: String(username) } : null,
      },
      ...(issuer ? [openId('op', { backChannelLogout: true }), openId('framed', framed)] : []),
    ],
  },
  { env: { NODE_ENV: 'test' } },
)

function openId(id: string, overrides: Partial<OIDCConfig<Profile>>): OIDCConfig<Profile> {
  return {
    ...{ id, name: id, type: 'oidc', issuer: String(issuer), logout: 'provider', ...overrides },
    ...{ clientId: id, clientSecret: 'a client secret: long enough' },
  }
}

function open(): CompleteAdapter {
  if (store === 'PostgreSQL') return PostgresAdapter({ url: place })
  const client = new Cluster(place.split(','))
  client.on('error', () => {}) // said again by every command that fails
  return RedisAdapter({ client, prefix: '{nodes}:' })
}

const server = createServer(async (req, res) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) headers.set(name, String(value))
  const request = new Request(`http://${req.headers.host}${req.url}`, {
    method: req.method ?? 'GET',
    headers,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
  if (req.url === '/whole/end-user') await auth.users.endSessions(Buffer.concat(chunks).toString())
  const response = await auth.handle(request)
  res.statusCode = response.status
  for (const [name, value] of response.headers)
    if (name !== 'set-cookie') res.setHeader(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) res.setHeader('set-cookie', cookies)
  res.end(Buffer.from(await response.arrayBuffer()))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
// Whoever started this is gone.
process.stdin.on('end', () => process.exit(0)).resume()
