// One server of an application that several run: its sessions are in cookies, what was ended in a store.
import { createServer } from 'node:http'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import { RedisAdapter } from '@siteauth/adapters/redis'
import { createAuth } from '@siteauth/core'
import { Cluster } from 'ioredis'

const { store, place, pollSeconds, hasChannel } = JSON.parse(process.argv[2])
const adapter =
  store === 'PostgreSQL'
    ? PostgresAdapter({ url: place })
    : RedisAdapter({ client: new Cluster(place.split(',')), prefix: '{delays}:' })
const { watch, ...polled } = adapter.revocations
const auth = createAuth(
  {
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    adapter,
    session: {
      strategy: 'jwt',
      revocation: { pollSeconds, log: hasChannel ? { ...polled, watch } : polled },
    },
    providers: [
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: ({ id }) => ({ id: String(id), name: String(id) }),
      },
    ],
  },
  { env: {} },
)

const server = createServer(async (req, res) => {
  const { headers } = req
  const url = `http://${headers.host}${req.url}`
  try {
    if (req.url.startsWith('/in')) {
      const request = { headers, url }
      await auth.signIn(request, 'password', { id: new URL(url).searchParams.get('id') })
      res.setHeader('set-cookie', auth.takeSetCookies(request))
    }
    if (req.url === '/out') await auth.signOut({ headers, url })
    res.end((await auth.getSession({ headers, url })) ? 'in' : 'out')
  } catch (error) {
    res.writeHead(503).end(String(error))
  }
})
server.listen(0, '127.0.0.1', () =>
  process.send({ origin: `http://127.0.0.1:${server.address().port}`, requests: [] }),
)
process.on('disconnect', () => process.exit())
