// Half a minute of clients that hang up, send half a body, or send 64 kB of cookies, among ordinary
// ones. Fails unless the server survives, its memory stays flat, and the next request is served.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

const SECONDS = Number(process.env.SECONDS ?? 30)
const TOKEN = 'authjs.session-token'

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
  const counts = {}
  await during(SECONDS / 3)
  const before = await memory()
  await during((SECONDS * 2) / 3)
  const after = await memory()
  const last = await fetch(`${origin}/auth/session`)
  console.log('| client | requests |\n|---|---|')
  for (const [name, count] of Object.entries(counts)) console.log(`| ${name} | ${count} |`)
  const megabytes = bytes => `${(bytes / 2 ** 20).toFixed(1)} MB`
  console.log(`\nheap after a third ${megabytes(before)}, at the end ${megabytes(after)}`)
  console.log(`the next request: ${last.status}; crashed: ${crashed}`)
  server.removeAllListeners('exit')
  server.kill()
  if (crashed || last.status !== 200 || after > before * 1.2 + 2 ** 21) process.exitCode = 1

  async function memory() {
    await new Promise(resolve => setTimeout(resolve, 1000)) // for what is under way
    server.send('memory')
    const [{ heap }] = await once(server, 'message')
    return heap
  }

  async function during(seconds) {
    const end = Date.now() + seconds * 1000
    const cookies = Array.from({ length: 16 }, (_, at) => `${TOKEN}.${at}=${'x'.repeat(4080)}`)
    const post = 'POST /auth/callback/credentials HTTP/1.1\r\nHost: x\r\n'
    const kinds = {
      ordinary: () => fetch(`${origin}/who`).then(answer => answer.text()),
      'signs in': () => signIn(),
      'hangs up at once': () => send('GET /who HTTP/1.1\r\nHost: x\r\n\r\n', 0),
      'half a header': () => send('GET /who HTTP/1.1\r\nHo', 5),
      'half a body': () => send(`${post}Content-Length: 1000\r\n\r\nhalf`, 10),
      'half a chunk': () => send(`${post}Transfer-Encoding: chunked\r\n\r\nff\r\nhalf`, 10),
      'a body too large': () => send(`${post}Content-Length: 900000\r\n\r\n${'x'.repeat(9e5)}`, 50),
      '64 kB of cookies': async () => {
        const answer = await fetch(`${origin}/who`, { headers: { cookie: cookies.join('; ') } })
        await answer.text()
      },
    }
    await Promise.all(
      Object.entries(kinds).flatMap(([name, run]) =>
        Array.from({ length: 4 }, async () => {
          while (Date.now() < end && !crashed) {
            await run()
            counts[name] = (counts[name] ?? 0) + 1
          }
        }),
      ),
    )
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
}

async function serve() {
  const { createServer } = await import('node:http')
  const { default: Credentials } = await import('@siteauth/core/providers/credentials')
  const { getSession, ServerAuth } = await import('@siteauth/express')
  const { default: express } = await import('express')
  const config = {
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    providers: [Credentials({ authorize: () => ({ id: '1', name: 'Ann' }) })],
    logger: { error() {}, warn() {}, debug() {} },
  }
  const app = express()
  app.use('/auth', ServerAuth(config))
  app.get('/who', async (req, res) => res.json(await getSession(req, res, config)))
  const server = createServer({ maxHeaderSize: 2 ** 17 }, app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.on('disconnect', () => process.exit())
  process.on('message', () => {
    globalThis.gc()
    process.send({ heap: process.memoryUsage().heapUsed })
  })
  process.send({ port: server.address().port })
}
