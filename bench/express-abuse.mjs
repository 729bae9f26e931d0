// Clients that hang up, send half a body, or far too much of it, or 64 kB of cookies, among ordinary
// ones. Fails unless the server survives, its memory stays flat, too much is refused, and the next
// request is served.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expectParts, progress } from './lib/progress.mjs'
import { report } from './lib/report.mjs'

const SECONDS = Number(process.env.SECONDS ?? 30)
const TOKEN = 'authjs.session-token'
const LARGE = 20e6
/** All clients are in one process, which is busier than the server. */
const PATIENCE_MS = 20_000
/** By how many MB each kind of memory may grow beside a fifth. What was freed stays with a process. */
const LEEWAY = { heap: 2, buffers: 4, 'the process': 24 }

if (process.argv[2] === 'serve') await serve()
else await abuse()

async function abuse() {
  const server = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: ['--expose-gc'] })
  let crashed = false
  server.on('exit', () => {
    crashed = true
  })
  const [{ port }] = await once(server, 'message')
  const origin = `http://127.0.0.1:${port}`
  const kinds = clients()
  const counts = kinds.map(() => 0)
  const wrong = new Set()
  expectParts(2)
  await during(SECONDS / 3)
  const before = await memory()
  await during((SECONDS * 2) / 3)
  const after = await memory()
  const last = await fetch(`${origin}/auth/session`)
  server.removeAllListeners('exit')
  server.kill()

  const grown = Object.keys(LEEWAY).filter(
    kind => after[kind] > before[kind] * 1.2 + LEEWAY[kind] * 2 ** 20,
  )
  for (const kind of grown) wrong.add(`${kind} grows`)
  if (crashed) wrong.add('the server crashed')
  if (last.status !== 200) wrong.add(`the next request is answered with ${last.status}`)
  const megabytes = Object.keys(LEEWAY).map(
    kind => `${kind} ${inMegabytes(before[kind])} and ${inMegabytes(after[kind])}`,
  )
  report('express-abuse', {
    title: 'An Express application among clients that misbehave',
    note: `${SECONDS} seconds, four of each kind at once. Memory in MB after a third and at the end: ${megabytes.join(', ')}. ${wrong.size > 0 ? `Wrong: ${[...wrong].join('; ')}.` : 'Nothing is wrong: the server runs, its memory does not grow, and the next request is served.'}`,
    rows: kinds.map(({ name, sends }, index) => ({ name, sends, count: counts[index] })),
    columns: [
      ['what it sends', row => row.sends],
      ['times', row => row.count],
    ],
  })
  if (wrong.size > 0) process.exitCode = 1

  async function memory() {
    await new Promise(resolve => setTimeout(resolve, 1000)) // for what is under way
    server.send('memory')
    const [found] = await once(server, 'message')
    return found
  }

  async function during(seconds) {
    const started = Date.now()
    const done = () => (Date.now() - started) / (seconds * 1000)
    const bar = setInterval(() => progress(Math.min(0.99, done())), 250)
    await Promise.all(
      kinds.flatMap(({ run }, index) =>
        Array.from({ length: 4 }, async () => {
          while (done() < 1 && !crashed) {
            await run()
            counts[index]++
          }
        }),
      ),
    )
    clearInterval(bar)
    progress(1)
  }

  function clients() {
    const cookies = Array.from({ length: 16 }, (_, at) => `${TOKEN}.${at}=${'x'.repeat(4080)}`)
    const get = 'GET /who HTTP/1.1\r\nHo'
    const post = 'POST /auth/callback/credentials HTTP/1.1\r\nHost: x\r\n'
    return [
      {
        name: 'ordinary',
        sends: 'a request',
        run: () => fetch(`${origin}/who`).then(answer => answer.text()),
      },
      { name: 'signs in', sends: 'two requests, with a form', run: signIn },
      {
        name: 'hangs up at once',
        sends: 'a request, and no time to answer it',
        run: () => send(`${get}st: x\r\n\r\n`, 0),
      },
      { name: 'half a header', sends: 'up to the second line', run: () => send(get, 5) },
      {
        name: 'half a body',
        sends: '4 of 1000 bytes',
        run: () => send(`${post}Content-Length: 1000\r\n\r\nhalf`, 10),
      },
      {
        name: 'half a chunk',
        sends: '4 of 255 bytes',
        run: () => send(`${post}Transfer-Encoding: chunked\r\n\r\nff\r\nhalf`, 10),
      },
      {
        name: 'a body too large',
        sends: '0.9 MB, and hangs up',
        run: () => send(`${post}Content-Length: 900000\r\n\r\n${'x'.repeat(9e5)}`, 50),
      },
      {
        name: 'a body far too large',
        sends: '20 MB, to the end',
        async run() {
          const outcome = await upload(`${post}Content-Length: ${LARGE}\r\n\r\n`)
          if (outcome !== 'refused') wrong.add(`${LARGE / 1e6} MB are ${outcome}`)
        },
      },
      {
        name: 'many cookies',
        sends: '64 kB of them',
        run: () =>
          fetch(`${origin}/who`, { headers: { cookie: cookies.join('; ') } }).then(answer =>
            answer.text(),
          ),
      },
    ]
  }

  async function signIn() {
    const csrf = await fetch(`${origin}/auth/csrf`)
    const { csrfToken } = await csrf.json()
    const cookie = csrf.headers.getSetCookie()[0].split(';')[0]
    const body = new URLSearchParams({ csrfToken })
    const path = '/auth/callback/credentials'
    const options = { method: 'POST', headers: { cookie }, body, redirect: 'manual' }
    await (await fetch(origin + path, options)).text()
  }

  /** Sends a text, waits a little and hangs up. */
  async function send(text, patience) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}) // the server may hang up as well
    socket.resume()
    socket.write(text)
    await new Promise(resolve => setTimeout(resolve, patience))
    socket.destroy()
    await new Promise(resolve => (socket.closed ? resolve() : socket.on('close', resolve)))
  }

  /** Sends all of a large body. It is to be refused, and read to its end all the same. */
  async function upload(head) {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    let isReset = false
    socket.on('error', () => {
      isReset = true
    })
    socket.on('data', data => {
      answer += data
    })
    socket.write(head)
    socket.end(Buffer.alloc(LARGE, 'x'))
    const isOver = await new Promise(resolve => {
      socket.on('close', () => resolve(true))
      setTimeout(resolve, PATIENCE_MS, false).unref()
    })
    socket.destroy()
    if (!isOver) return 'neither read nor refused'
    const status = answer.slice(9, 12)
    if (isReset) return 'cut off'
    return status === '413' ? 'refused' : `answered with ${status || 'nothing'}`
  }
}

function inMegabytes(bytes) {
  return (bytes / 2 ** 20).toFixed(1)
}

async function serve() {
  const { createServer } = await import('node:http')
  const { default: Credentials } = await import('@siteauth/core/providers/credentials')
  const { SiteAuth } = await import('@siteauth/express')
  const { default: express } = await import('express')
  const config = {
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    providers: [Credentials({ authorize: () => ({ id: '1', name: 'Ann' }) })],
    logger: { error() {}, warn() {}, debug() {} },
  }
  const app = express()
  const auth = SiteAuth(config)
  app.use('/auth', auth.handler)
  app.get('/who', async (req, res) => res.json(await auth.getSession(req)))
  const server = createServer({ maxHeaderSize: 2 ** 17 }, app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.on('disconnect', () => process.exit())
  process.on('message', async () => {
    // Buffers are let go some time after what held them.
    for (let times = 0; times < 3; times++) {
      globalThis.gc()
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send({ heap: heapUsed, buffers: external, 'the process': rss })
  })
  process.send({ port: server.address().port })
}
