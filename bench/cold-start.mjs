// From nothing to the first session that is answered, in a fresh process: time and memory over those of
// an empty one. Matters where processes are short-lived. The limit is one token opened with Node's own
// functions. Whoever is signed in was so before, with the same secret.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { encode } from '@siteauth/core/jwt'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { sealData } from 'iron-session'
import { startBetterAuth } from './lib/better-auth.mjs'
import { quantile, shuffled } from './lib/measure.mjs'
import { progress } from './lib/progress.mjs'
import { report, timeBars } from './lib/report.mjs'

const secret = 'a secret of at least thirty-two characters'
const salt = 'authjs.session-token'
const token = await encode({ token: { sub: '1', name: 'Ann' }, secret, salt })
const tables = { user: [], session: [], account: [], verification: [] }
const { cookie: betterCookie } = await startBetterAuth(secret, { database: memoryAdapter(tables) })
/** What the processes are given. */
const given = {
  TOKEN: token,
  COOKIE: `${salt}=${token}`,
  SEALED: await sealData({ name: 'Ann' }, { password: secret }),
  BETTER_COOKIE: betterCookie,
  BETTER_TABLES: JSON.stringify(tables),
}
const here = fileURLToPath(new URL('.', import.meta.url))
const rounds = Number(process.env.ROUNDS ?? 11)
const config = `{ secret: '${secret}', trustHost: true, basePath: '/auth', providers: [GitHub({ clientId: 'a', clientSecret: 'b' })] }`

const contenders = [
  { name: 'empty', code: '' },
  {
    name: 'node:crypto alone, one token opened',
    code: `
      const session = (${openAlone})(await import('node:crypto'), process.env.TOKEN, '${secret}', '${salt}')
      if (session.name !== 'Ann') throw new Error('nobody')`,
  },
  {
    name: 'SiteAuth, session check',
    ours: true,
    code: `
      const { createAuth } = await import('@siteauth/core')
      const { default: GitHub } = await import('@siteauth/core/providers/github')
      const session = await createAuth(${config}, { env: {} }).getSession({ headers: { cookie: process.env.COOKIE } })
      if (session.user.name !== 'Ann') throw new Error('nobody')`,
  },
  {
    name: 'SiteAuth, GET session',
    ours: true,
    code: `
      const { Auth } = await import('@siteauth/core')
      const { default: GitHub } = await import('@siteauth/core/providers/github')
      ${getSession()}`,
  },
  {
    name: '@auth/core, GET session',
    code: `
      const { Auth } = await import('@auth/core')
      const { default: GitHub } = await import('@auth/core/providers/github')
      ${getSession()}`,
  },
  {
    name: 'iron-session',
    code: `
      const { unsealData } = await import('iron-session')
      const { name } = await unsealData(process.env.SEALED, { password: '${secret}' })
      if (name !== 'Ann') throw new Error('nobody')`,
  },
  {
    name: 'Better Auth, memory',
    code: `
      const { betterAuth } = await import('better-auth')
      const { memoryAdapter } = await import('better-auth/adapters/memory')
      const revive = (key, value) => (key.endsWith('At') ? new Date(value) : value)
      const database = memoryAdapter(JSON.parse(process.env.BETTER_TABLES, revive))
      const auth = betterAuth({ secret: '${secret}', baseURL: 'http://localhost', database, telemetry: { enabled: false } })
      const session = await auth.api.getSession({ headers: new Headers({ cookie: process.env.BETTER_COOKIE }) })
      if (session.user.name !== 'Ann Example') throw new Error('nobody')`,
  },
]

const times = contenders.map(() => [])
const memory = contenders.map(() => [])
for (const { code } of contenders) start(code) // so that all files have been read once
for (let round = 0; round < rounds; round++) {
  for (const index of shuffled(contenders.length)) {
    const { ms, rss } = start(contenders[index].code)
    times[index].push(ms)
    memory[index].push(rss)
  }
  progress((round + 1) / rounds)
}
const over = (samples, index, share = 0.5) =>
  quantile(
    samples[index].map((sample, round) => sample - samples[0][round]),
    share,
  )
const rows = contenders.slice(1).map(({ name, ours }, before) => {
  const index = before + 1
  return {
    name,
    ours,
    ms: over(times, index),
    spread: `${over(times, index, 0.1).toFixed(0)} – ${over(times, index, 0.9).toFixed(0)}`,
    ratio: over(times, index) / over(times, 1),
    rss: over(memory, index) / 1024,
  }
})
report('cold-start', {
  title: 'From nothing to the first session',
  note: 'Over an empty process, median of the differences in each round. Limit: the first row; the ratio is one of medians.',
  rows,
  columns: [
    ['ms more', row => row.ms.toFixed(0)],
    ['p10 to p90', row => row.spread],
    ['× limit', row => row.ratio.toFixed(2)],
    ['MB more', row => row.rss.toFixed(1)],
  ],
  bars: timeBars,
})

/** Verifies, decrypts and parses a token. It runs in a process of its own, so it uses nothing from here. */
function openAlone({ createDecipheriv, createHmac, hkdfSync, timingSafeEqual }, text, key, name) {
  const info = `Auth.js Generated Encryption Key (${name})`
  const bits = Buffer.from(hkdfSync('sha256', key, name, info, 64))
  const [header, , ...parts] = text.split('.')
  const [iv, ciphertext, sent] = parts.map(part => Buffer.from(part, 'base64url'))
  const bitLength = Buffer.alloc(8)
  bitLength.writeUInt32BE(header.length * 8, 4)
  const mac = createHmac('sha512', bits.subarray(0, 32)).update(header).update(iv)
  const tag = mac.update(ciphertext).update(bitLength).digest().subarray(0, 32)
  if (!timingSafeEqual(tag, sent)) throw new Error('forged')
  const decipher = createDecipheriv('aes-256-cbc', bits.subarray(32), iv)
  return JSON.parse(decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8'))
}

function getSession() {
  return `
    const request = new Request('http://localhost/auth/session', { headers: { cookie: process.env.COOKIE } })
    const session = await (await Auth(request, ${config})).json()
    if (session.user.name !== 'Ann') throw new Error('nobody')`
}

/** Milliseconds from the start of the process, and the memory it took at most, in kilobytes. */
function start(code) {
  const script = `${code}
    const { performance } = await import('node:perf_hooks')
    console.log(JSON.stringify({ ms: performance.now(), rss: process.resourceUsage().maxRSS }))`
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { cwd: here, env: { ...process.env, ...given, NODE_ENV: 'production' } },
  )
  if (status !== 0) throw new Error(String(stderr))
  return JSON.parse(String(stdout).trim().split('\n').at(-1))
}
