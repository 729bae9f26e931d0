// How long a session that was ended at one server is still accepted at two others: with the channel of the
// store, and with it cut, where they ask every ten seconds.
import { setTimeout as pause } from 'node:timers/promises'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import { prepareServices, SERVICES } from '../tools/services.mjs'
import { report } from './lib/report.mjs'
import { startServers } from './lib/servers.mjs'

const POLL_EVERY = 10
const ENDS = process.env.QUICK ? 20 : 200
/** Ends that are under way at once, so that polling is met at any moment of its interval. */
const AT_ONCE = 20

const { PostgreSQL, 'a Redis Cluster': cluster } = SERVICES
const { variables, missing, stop } = await prepareServices({ PostgreSQL, cluster })
for (const sentence of missing) console.error(sentence)
const { migrations, close } = PostgresAdapter({ url: variables.TEST_POSTGRES_URL })
await migrations.apply()
await close()

const rows = []
for (const [store, place] of [
  ['PostgreSQL', variables.TEST_POSTGRES_URL],
  ['Redis Cluster', variables.TEST_REDIS_CLUSTER],
]) {
  for (const hasChannel of [true, false]) {
    const nodes = await startServers(
      'ended.mjs',
      Array(3).fill(JSON.stringify({ store, place, pollSeconds: POLL_EVERY, hasChannel })),
    )
    const delays = await measureDelays(nodes.map(({ origin }) => origin))
    for (const { child } of nodes) child.disconnect()
    const name = `${store}, ${hasChannel ? 'with the channel' : 'the channel cut'}`
    rows.push({ name, delays: delays.sort((one, other) => one - other), ours: true })
  }
}
await stop()

const at = share => row =>
  row.delays[Math.min(row.delays.length - 1, Math.floor(row.delays.length * share))].toFixed(0)
report('ended-delays', {
  title: 'How long a session that was ended is accepted elsewhere',
  note: `Three processes; ended at one, asked for at the others every 5 ms. Polled every ${POLL_EVERY} s where the channel is cut.`,
  rows,
  columns: [
    ['ends seen', row => String(row.delays.length)],
    ['ms, median', at(0.5)],
    ['p90', at(0.9)],
    ['p99', at(0.99)],
    ['longest', row => row.delays.at(-1).toFixed(0)],
  ],
})

async function measureDelays([first, ...others]) {
  const delays = []
  let done = 0
  const work = async () => {
    while (done < ENDS) {
      const id = `${done++} ${crypto.randomUUID()}`
      const signedIn = await fetch(`${first}/in?id=${encodeURIComponent(id)}`)
      const cookie = signedIn.headers
        .getSetCookie()
        .map(line => line.split(';', 1)[0])
        .join('; ')
      const ask = async origin => (await fetch(`${origin}/`, { headers: { cookie } })).text()
      for (const origin of others)
        if ((await ask(origin)) !== 'in') throw new Error('not signed in')
      await pause(Math.random() * 500)
      await fetch(`${first}/out`, { headers: { cookie } })
      const ended = performance.now()
      await Promise.all(
        others.map(async origin => {
          while ((await ask(origin)) === 'in') await pause(5)
          delays.push(performance.now() - ended)
        }),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return delays
}
