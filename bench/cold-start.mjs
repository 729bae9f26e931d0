// From nothing to the first session that is answered, in a fresh process: time and memory over those of
// an empty one. Matters where processes are short-lived.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { encode } from '@siteauth/core/jwt'
import { quantile, shuffled } from './lib/measure.mjs'
import { report } from './lib/report.mjs'

const secret = 'a secret of at least thirty-two characters'
const salt = 'authjs.session-token'
const cookie = `${salt}=${await encode({ token: { sub: '1', name: 'Ann' }, secret, salt })}`
const here = fileURLToPath(new URL('.', import.meta.url))
const rounds = Number(process.env.ROUNDS ?? 15)
const config = `{ secret: '${secret}', trustHost: true, basePath: '/auth', providers: [GitHub({ clientId: 'a', clientSecret: 'b' })] }`

const contenders = [
  { name: 'empty', code: '' },
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
      const { unsealData, sealData } = await import('iron-session')
      const password = '${secret}'
      await unsealData(await sealData({ name: 'Ann' }, { password }), { password })`,
  },
  {
    name: 'Better Auth, memory',
    code: `
      const { betterAuth } = await import('better-auth')
      const { memoryAdapter } = await import('better-auth/adapters/memory')
      const database = memoryAdapter({ user: [], session: [], account: [], verification: [] })
      const auth = betterAuth({ secret: '${secret}', baseURL: 'http://localhost', database, telemetry: { enabled: false } })
      await auth.api.getSession({ headers: new Headers({ cookie: 'better-auth.session_token=unknown.x' }) })`,
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
}
const over = samples => index =>
  quantile(
    samples[index].map((sample, round) => sample - samples[0][round]),
    0.5,
  )
report('cold-start', {
  title: 'From nothing to the first session',
  note: 'Over an empty process, median of the differences in each round.',
  rows: contenders.slice(1).map(({ name, ours }, index) => ({
    name,
    ours,
    ms: over(times)(index + 1),
    rss: over(memory)(index + 1) / 1024,
  })),
  columns: [
    ['ms more', row => row.ms.toFixed(0)],
    ['MB more', row => row.rss.toFixed(1)],
  ],
})

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
    { cwd: here, env: { ...process.env, COOKIE: cookie, NODE_ENV: 'production' } },
  )
  if (status !== 0) throw new Error(String(stderr))
  return JSON.parse(String(stdout).trim().split('\n').at(-1))
}
