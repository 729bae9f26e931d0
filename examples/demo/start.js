import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilePackages } from './around/compile-packages.js'
import { createDesk } from './around/desk.js'
import { createIdentityProvider } from './around/identity-provider.js'
import { listen } from './around/listen.js'
import { startMailbox } from './around/mailbox.js'

// What is kept from one start to the next, so that passkeys and sessions still work: delete it to
// begin anew.
const folder = process.env.DEMO_FOLDER ?? join(import.meta.dirname, '.data')
mkdirSync(folder, { recursive: true })

const stops = []
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)

console.log('\nSiteAuth: the demo\n')
compilePackages()
// A port is known when something listens there. What it answers is decided after all of them are.
const desk = await serve('the start page', 4000)
const onExpress = await serve('Express', 4001)
const onNext = await serve('Next.js', 4002)
const provider = await serve('the OpenID Provider', 4003)

const addresses = {
  desk: `http://localhost:${desk.port}`,
  express: `http://localhost:${onExpress.port}`,
  next: `http://localhost:${onNext.port}`,
}
// By number, so that browsers take it for another site, as a provider is.
const issuer = `http://127.0.0.1:${provider.port}`
const token = randomBytes(16).toString('hex')
const mailbox = await startMailbox(({ to }) =>
  tell({ app: 'Inbox', name: 'message', words: `for ${to}` }),
)
stops.push(mailbox.close)

Object.assign(process.env, {
  NODE_ENV: 'production',
  AUTH_SECRET: keptSecret(),
  DEMO_DATABASE: join(folder, 'demo.db'),
  DEMO_DESK: addresses.desk,
  DEMO_ISSUER: issuer,
  DEMO_SMTP: mailbox.url,
  DEMO_TOKEN: token,
})

const { app, tell } = createDesk({ token, messages: mailbox.messages, addresses })
desk.answer = app
provider.answer = await createIdentityProvider(issuer, [
  `${addresses.express}/auth/callback/example`,
  `${addresses.next}/api/auth/callback/example`,
])
// Only now: the configuration reads the variables.
const { createApp } = await import('./express/app.js')
onExpress.answer = createApp()
const nextServer = await startNext()

console.log(`  Start here   ${addresses.desk}`)
console.log(`  Express      ${addresses.express}`)
if (nextServer)
  console.log(`  Next.js      ${addresses.next}   is being built; this takes a few seconds`)
console.log(`  Inbox        ${addresses.desk}/inbox`)
console.log('\n  Press Ctrl-C to stop everything.\n')
if (await nextServer?.ready) console.log('  Next.js is ready.')

/** Null for tests of Express alone: the build takes longer than they do. */
async function startNext() {
  if (process.env.DEMO_WITHOUT_NEXT) return null
  const { createNextServer } = await import('./around/next-server.js')
  const server = createNextServer(join(import.meta.dirname, 'next'))
  onNext.answer = server.answer
  stops.push(server.close)
  return server
}

async function serve(name, port) {
  const served = await listen(name, port, (request, response) => place.answer(request, response))
  stops.push(served.close)
  const place = { port: served.port, answer: (_request, response) => response.writeHead(503).end() }
  return place
}

function keptSecret() {
  const file = join(folder, 'secret')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const secret = randomBytes(32).toString('hex')
    writeFileSync(file, secret, { mode: 0o600 })
    return secret
  }
}

async function stop() {
  if (isStopping) return
  isStopping = true
  console.log('\n  Stopping.')
  await Promise.all(stops.map(each => each()))
  process.exit(0)
}
