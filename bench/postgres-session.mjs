// A session in PostgreSQL, read with its user. The limit is one join, prepared beforehand, on the same pool.
import { Auth } from '@auth/core'
import PgAdapter from '@auth/pg-adapter'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import { createAuth } from '@siteauth/core'
import pg from 'pg'
import { prepareServices, SERVICES } from '../tools/services.mjs'
import { measure } from './lib/measure.mjs'
import { report, timeBars, timeColumns } from './lib/report.mjs'

const { PostgreSQL } = SERVICES
const { variables, missing, stop } = await prepareServices({ PostgreSQL })
if (!variables.TEST_POSTGRES_URL) {
  for (const sentence of missing) console.error(sentence)
  process.exit(1)
}
const pool = new pg.Pool({ connectionString: variables.TEST_POSTGRES_URL, max: 4 })
const adapter = PostgresAdapter({ pool })
await adapter.migrations.apply()
const user = await adapter.createUser({
  name: 'Ann',
  email: `${Date.now()}@example.com`,
  emailVerified: null,
})
const sessionToken = crypto.randomUUID()
const expires = new Date(Date.now() + 30 * 24 * 3_600_000)
await adapter.createSession({ sessionToken, userId: user.id, expires })

const shared = {
  secret: 'a secret of at least thirty-two characters',
  trustHost: true,
  providers: [],
}
const ours = createAuth({ ...shared, adapter }, { env: {} })
const cookie = `authjs.session-token=${sessionToken}`
const join = {
  name: 'session-and-user',
  text: `select s.expires, s."userId", u.id, u.name, u.email, u."emailVerified", u.image
    from sessions s join users u on u.id = s."userId" where s."sessionToken" = $1`,
  values: [sessionToken],
}
// It is written for numbers as keys; the tables of ours have texts, which it takes as they come.
const old = {
  ...shared,
  adapter: PgAdapter(pool),
  basePath: '/auth',
  session: { strategy: 'database' },
}

report('postgres-session', {
  title: 'A session in PostgreSQL',
  note: 'One after the other, on loopback.',
  rows: await measure(
    [
      { name: 'one prepared join', run: async () => (await pool.query(join)).rows[0].name },
      {
        name: 'SiteAuth getSession',
        ours: true,
        run: () => ours.getSession({ headers: { cookie } }),
      },
      {
        name: '@auth/core with @auth/pg-adapter',
        run: async () => {
          const url = 'http://localhost/auth/session'
          const found = await (await Auth(new Request(url, { headers: { cookie } }), old)).json()
          if (!found?.user) throw new Error('nobody')
        },
      },
    ],
    { rounds: 31, roundMs: 60 },
  ),
  columns: timeColumns,
  bars: timeBars,
})
await pool.end()
await stop()
