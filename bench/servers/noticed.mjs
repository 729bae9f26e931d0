// One server of an application that several run, whose provider may end sessions. It counts what it asks of
// its store.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import { RedisAdapter } from '@siteauth/adapters/redis'
import { createAuth } from '@siteauth/core'
import { Redis } from 'ioredis'

const { store, place, strategy, issuer } = JSON.parse(process.argv[2])
let asked = 0
// The copy that the adapters use, which need not be the one found from here.
const adapters = createRequire(import.meta.resolve('@siteauth/adapters/postgres'))
count(adapters('pg').Client.prototype, 'query')
count(Redis.prototype, 'sendCommand')

const adapter =
  store === 'PostgreSQL'
    ? PostgresAdapter({ url: place })
    : RedisAdapter({ client: new Redis(place), prefix: 'noticed:' })
const auth = createAuth(
  {
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    adapter,
    limits: false,
    session: { strategy },
    providers: [
      {
        id: 'op',
        name: 'OP',
        type: 'oidc',
        issuer,
        clientId: 'client',
        clientSecret: 'a client secret of some length, for nothing',
        logout: 'provider',
        backChannelLogout: true,
      },
    ],
  },
  { env: {} },
)

const server = createServer(async (req, res) => {
  if (req.url === '/asked') {
    res.end(String(asked))
    asked = 0
    return
  }
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const { method, headers } = req
  const body = method === 'POST' ? Buffer.concat(chunks) : undefined
  const request = new Request(`http://${headers.host}${req.url}`, { method, headers, body })
  const answer = await auth.handle(request)
  res.writeHead(answer.status, [...answer.headers].flat())
  res.end(await answer.text())
})
server.listen(0, '127.0.0.1', () =>
  process.send({ origin: `http://127.0.0.1:${server.address().port}`, requests: [] }),
)
process.on('disconnect', () => process.exit())

function count(owner, name) {
  const { [name]: method } = owner
  owner[name] = function (...args) {
    asked += 1
    return method.apply(this, args)
  }
}
