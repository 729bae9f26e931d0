// Requests per second of an Express route that reads who is signed in, over 32 connections, as a
// ratio of the bare route with the same cookies in the same round. Express 5, everything on loopback.
// Beside it the same ratio of the time that the server computes for one request, which hardly
// depends on what else the machine does.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { shuffled } from './measure.mjs'

const SECRET = 'a secret of at least thirty-two characters'
const CONNECTIONS = 32
const [rounds, seconds] = [Number(process.env.ROUNDS ?? 5), Number(process.env.SECONDS ?? 2)]

if (process.argv[2] === 'serve') await serve()
else await compare()

async function compare() {
  const { default: autocannon } = await import('autocannon')
  const server = fork(fileURLToPath(import.meta.url), ['serve'], {
    // What is measured is what is published.
    execArgv: [],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [{ origin, contenders }] = await once(server, 'message')
  const samples = contenders.map(() => [])
  for (const { path, cookies } of contenders) await load(path, cookies, 1)
  for (let round = 0; round < rounds; round++) {
    for (const index of shuffled(contenders.length)) {
      const { path, cookies } = contenders[index]
      const bare = await load('/bare', cookies, seconds)
      const own = await load(path, cookies, seconds)
      samples[index].push({
        ...own,
        ratio: own.rate / bare.rate,
        cpuRatio: bare.cpu / own.cpu,
        bareP50: bare.p50,
      })
    }
  }
  server.kill()
  console.log('| contender | requests/s | × bare | range | × bare, CPU | CPU µs | p50 ms (bare) |')
  console.log('|---|---|---|---|---|---|---|')
  for (const [index, { name }] of contenders.entries()) {
    const of = key => samples[index].map(sample => sample[key]).sort((a, b) => a - b)
    const median = key => of(key)[Math.floor(samples[index].length / 2)]
    const range = `${of('ratio')[0].toFixed(2)}–${of('ratio').at(-1).toFixed(2)}`
    console.log(
      `| ${name} | ${median('rate').toFixed(0)} | ${median('ratio').toFixed(2)} | ${range} | ` +
        `${median('cpuRatio').toFixed(2)} | ${median('cpu').toFixed(0)} | ` +
        `${median('p50')} (${median('bareP50')}) |`,
    )
  }

  async function load(path, cookies, duration) {
    const requests = cookies.map(cookie => ({ headers: { cookie } }))
    const url = origin + path
    const before = await cpuTime()
    const found = await autocannon({
      url,
      connections: CONNECTIONS,
      duration,
      requests,
      timeout: 60,
    })
    if (found.non2xx || found.errors) throw new Error(`${path}: ${found.non2xx} refused`)
    const cpu = ((await cpuTime()) - before) / found.requests.total
    return { rate: found.requests.average, p50: found.latency.p50, cpu }
  }

  async function cpuTime() {
    server.send('cpu')
    const [{ user, system }] = await once(server, 'message')
    return user + system
  }
}

/** The application: one route per contender, each as its documentation says. */
async function serve() {
  process.on('disconnect', () => process.exit())
  process.on('message', () => process.send(process.cpuUsage()))
  const { getSession: getOldSession } = await import('@auth/express')
  const { encode } = await import('@siteauth/core/jwt')
  const { getSession, session } = await import('@siteauth/express')
  const { default: cookieSession } = await import('cookie-session')
  const { default: express } = await import('express')
  const { default: expressSession } = await import('express-session')
  const { getIronSession, sealData } = await import('iron-session')
  const { default: passport } = await import('passport')

  const user = { name: 'Ann Example', email: 'ann.example@example.com', image: null }
  const claims = { sub: '8f14e45f-ceea-467f-a9d8-2b1f6f0c9a11', ...user }
  const config = { secret: SECRET, trustHost: true, providers: [] }
  const app = express().disable('etag')
  const answer = (res, found) => {
    if (found?.name !== user.name) return res.status(500).end()
    res.json({ hello: found.name })
  }

  app.get('/bare', (_req, res) => res.json({ hello: user.name }))
  app.get('/ours', async (req, res) => answer(res, (await getSession(req, config))?.user))
  // Without the cache of opened tokens every token is opened.
  const opening = { ...config, jwt: { cacheSize: 0 } }
  app.get('/ours-opening', async (req, res) => answer(res, (await getSession(req, opening))?.user))
  app.get('/ours-renewing', session(config), (_req, res) => answer(res, res.locals.session?.user))
  const oldConfig = { ...config, basePath: '/auth' }
  app.get('/old', async (req, res) => answer(res, (await getOldSession(req, oldConfig))?.user))

  const stored = expressSession({ secret: SECRET, resave: false, saveUninitialized: false })
  app.get('/express-session', stored, (req, res) => {
    if (req.query.login) req.session.user = user
    answer(res, req.session.user)
  })
  const people = new passport.Passport()
  people.serializeUser((_user, done) => done(null, '1'))
  people.deserializeUser((_id, done) => done(null, user))
  app.get('/passport', stored, people.session(), (req, res, next) => {
    if (!req.query.login) return answer(res, req.user)
    req.login(user, error => (error ? next(error) : answer(res, user)))
  })
  app.get('/cookie-session', cookieSession({ keys: [SECRET] }), (req, res) => {
    if (req.query.login) req.session.user = user
    answer(res, req.session.user)
  })
  const iron = { password: SECRET, cookieName: 'iron' }
  app.get('/iron-session', async (req, res) => {
    answer(res, (await getIronSession(req, res, iron)).user)
  })

  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${server.address().port}`

  const salt = 'authjs.session-token'
  const token = async () => `${salt}=${await encode({ token: claims, secret: SECRET, salt })}`
  const recurring = [await token()]
  const different = await Promise.all(Array.from({ length: 5000 }, token))
  const login = async path => {
    const response = await fetch(`${origin}${path}?login=1`)
    const pairs = response.headers.getSetCookie().map(line => line.split(';')[0])
    return [pairs.join('; ')]
  }
  process.send({
    origin,
    contenders: [
      {
        name: '**SiteAuth** getSession, every token opened',
        path: '/ours-opening',
        cookies: different,
      },
      { name: '**SiteAuth** getSession, tokens recur', path: '/ours', cookies: recurring },
      { name: '**SiteAuth** session(), tokens recur', path: '/ours-renewing', cookies: recurring },
      { name: '@auth/express getSession', path: '/old', cookies: recurring },
      {
        name: 'express-session in memory',
        path: '/express-session',
        cookies: await login('/express-session'),
      },
      { name: 'passport on it', path: '/passport', cookies: await login('/passport') },
      {
        name: 'cookie-session',
        path: '/cookie-session',
        cookies: await login('/cookie-session'),
      },
      {
        name: 'iron-session',
        path: '/iron-session',
        cookies: [`iron=${await sealData({ user }, iron)}`],
      },
    ],
  })
}
