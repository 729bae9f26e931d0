// Sign-ins per second over HTTP, 16 at a time: fetch the CSRF token, post the form, get a session. As a
// ratio of an Express application that does the same two requests with nothing but Node and Express.
import http from 'node:http'
import { quantile, shuffled } from './lib/measure.mjs'
import { progress } from './lib/progress.mjs'
import { report } from './lib/report.mjs'
import { cpuTime, startServers } from './lib/servers.mjs'

const AT_ONCE = 16
const [rounds, seconds] = [Number(process.env.ROUNDS ?? 7), Number(process.env.SECONDS ?? 1)]
const servers = await startServers('sign-in.mjs', ['bare', 'SiteAuth', '@auth/express'])
const samples = servers.map(() => [])
for (const server of servers) await signIns(server, 2) // until it is compiled
for (let round = 0; round < rounds; round++) {
  for (const index of shuffled(servers.length)) {
    samples[index].push(await signIns(servers[index], seconds))
  }
  progress((round + 1) / rounds)
}
const rows = servers.map(({ name }, index) => {
  const of = (pick, share = 0.5) =>
    quantile(
      samples[index].map((sample, round) => pick(sample, samples[0][round])),
      share,
    )
  const ratio = (sample, bare) => sample.rate / bare.rate
  return {
    name,
    ours: name === 'SiteAuth',
    ratio: of(ratio),
    spread: `${of(ratio, 0.1).toFixed(2)} – ${of(ratio, 0.9).toFixed(2)}`,
    cpuRatio: of((sample, bare) => bare.cpu / sample.cpu),
    rate: of(sample => sample.rate),
    cpu: of(sample => sample.cpu),
  }
})
report('sign-in', {
  title: 'Signing in with a password over HTTP',
  note: 'Checking the password itself is left out: a good hash takes longer than all of this together.',
  rows,
  columns: [
    ['× bare', row => row.ratio.toFixed(2)],
    ['p10 to p90', row => row.spread],
    ['× bare, CPU', row => row.cpuRatio.toFixed(2)],
    ['sign-ins/s', row => row.rate.toFixed(0)],
    ['CPU µs', row => row.cpu.toFixed(0)],
  ],
  bars: {
    heading: 'Sign-ins per second, as a share of those without a library. Longer is better.',
    format: ratio => ratio.toFixed(2),
  },
})
for (const { child } of servers) child.kill()

async function signIns({ child, origin }, duration) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const end = performance.now() + duration * 1000
  const before = await cpuTime(child)
  let done = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < end) {
        await signIn(origin, agent)
        done++
      }
    }),
  )
  const rate = done / ((performance.now() - started) / 1000)
  const cpu = ((await cpuTime(child)) - before) / done
  agent.destroy()
  return { rate, cpu }
}

async function signIn(origin, agent) {
  const first = await ask(`${origin}/auth/csrf`, { agent })
  const { csrfToken } = JSON.parse(first.body)
  const form = new URLSearchParams({ csrfToken, username: 'ann', password: 'x' }).toString()
  const second = await ask(
    `${origin}/auth/callback/credentials`,
    {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(form),
        cookie: first.cookies.join('; '),
        origin,
      },
    },
    form,
  )
  if (second.status !== 302 || !second.cookies.some(cookie => cookie.includes('session'))) {
    throw new Error(`${origin}: nobody was signed in (${second.status})`)
  }
}

function ask(url, options, content) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, options, response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        body += chunk
      })
      response.on('end', () => {
        const lines = response.headers['set-cookie'] ?? []
        const cookies = lines.map(line => line.split(';')[0])
        resolve({ status: response.statusCode, body, cookies })
      })
    })
    request.on('error', reject)
    request.end(content)
  })
}
