// Whether time tells who has an account: sign-ins with a wrong password for a known address, for one that is
// unknown, and for one without a password; and the same for those who forgot theirs. A cheap hash, so that what
// is around it weighs more than it does in production.
//
// Compared by the rank-sum test of Mann and Whitney. Two samples of the same known address say what the test
// finds where there is nothing to find.
import { MemoryAdapter } from '@siteauth/adapters/memory'
import { createAuth } from '@siteauth/core'
import Password from '@siteauth/core/providers/password'
import { quantile, shuffled } from './lib/measure.mjs'
import { progress } from './lib/progress.mjs'
import { report } from './lib/report.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 400)
const ORIGIN = 'https://app.example.com'
const PEOPLE = ['known', 'known, once more', 'unknown', 'without a password']

const adapter = MemoryAdapter()
const mails = []
const hashing = { algorithm: 'scrypt', scryptCost: { ln: 10 } }
const auth = createAuth(
  {
    secret: 'a secret for the benchmark that is long',
    trustHost: true,
    limits: false,
    logger: { error() {}, warn() {}, debug() {} },
    adapter,
    providers: [Password({ mail: mail => void mails.push(mail), hashing })],
  },
  { env: {} },
)

const page = () => new Request(`${ORIGIN}/`, { headers: { origin: ORIGIN } })
await auth.passwords.sendLink(page(), { purpose: 'sign-up', email: 'known@example.com' })
const { email, token } = Object.fromEntries(new URL(mails[0].url).searchParams)
await auth.passwords.choose(page(), { email, token, password: 'correct horse battery staple' })
await adapter.createUser({ id: 'bare', email: 'bare@example.com', emailVerified: new Date() })
const addresses = ['known@example.com', 'known@example.com', 'none', 'bare@example.com']

/** Nobody is unknown twice: what is remembered of an address must not tell, either. */
const addressOf = (index, round) =>
  addresses[index] === 'none' ? `${round}@example.com` : addresses[index]

const ways = {
  'signing in': address =>
    auth.signIn(page(), 'password', { email: address, password: 'a wrong password' }),
  forgetting: address => auth.passwords.sendLink(page(), { purpose: 'reset', email: address }),
}

const rows = []
for (const [way, run] of Object.entries(ways)) {
  const samples = PEOPLE.map(() => [])
  for (let round = -20; round < ROUNDS; round++) {
    for (const index of shuffled(PEOPLE.length)) {
      const address = addressOf(index, round + 1000)
      const start = performance.now()
      await run(address).catch(() => {})
      if (round >= 0) samples[index].push((performance.now() - start) * 1000)
    }
    progress((round + 1) / ROUNDS / 2)
  }
  PEOPLE.forEach((who, index) => {
    rows.push({
      name: `${way}: ${who}`,
      ours: true,
      median: quantile(samples[index], 0.5),
      p10: quantile(samples[index], 0.1),
      p90: quantile(samples[index], 0.9),
      p: index === 0 ? null : rankSum(samples[0], samples[index]),
      ratio: 1,
    })
  })
}

report('password-time', {
  title: 'Whether time tells who has an account',
  note: `${ROUNDS} each, in random order, in memory. p: how likely times that differ so much, or more, are if nothing differs; below 0.01 something does. Each is held against the known address.`,
  rows,
  columns: [
    ['µs, median', row => row.median.toFixed(0)],
    ['p10 to p90', row => `${row.p10.toFixed(0)} – ${row.p90.toFixed(0)}`],
    ['p', row => (row.p === null ? '' : row.p.toFixed(3))],
  ],
})
const telling = rows.filter(({ p }) => p !== null && p < 0.001)
for (const { name } of telling) console.error(`${name} can be told by its time.`)
process.exitCode = telling.length > 0 ? 1 : 0

/** The rank-sum test, two-sided, by the normal distribution: good for samples of more than twenty. */
function rankSum(one, other) {
  const all = [...one.map(value => [value, 0]), ...other.map(value => [value, 1])]
  all.sort(([a], [b]) => a - b)
  const ranks = all.reduce((sum, [, which], index) => sum + (which === 0 ? index + 1 : 0), 0)
  const [n, m] = [one.length, other.length]
  const u = ranks - (n * (n + 1)) / 2
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return 2 * (1 - normal(z))
}

/** The normal distribution, by formula 26.2.17 of Abramowitz and Stegun. */
function normal(z) {
  const t = 1 / (1 + 0.2316419 * z)
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = series.reduceRight((rest, factor) => t * (factor + rest), 0)
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
