// What it takes until everybody knows that somebody has signed out at their provider: how long, and how many
// statements. Three processes and a provider of our own, over HTTP.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { PostgresAdapter } from '@siteauth/adapters/postgres'
import * as jose from 'jose'
import { prepareServices, SERVICES } from '../tools/services.mjs'
import { report } from './lib/report.mjs'
import { startServers } from './lib/servers.mjs'

const NOTICES = process.env.QUICK ? 5 : 60

const { PostgreSQL, Redis } = SERVICES
const { variables, missing, stop } = await prepareServices({ PostgreSQL, Redis })
for (const sentence of missing) console.error(sentence)
const { migrations, close } = PostgresAdapter({ url: variables.TEST_POSTGRES_URL })
await migrations.apply()
await close()

const op = await startProvider()
const rows = []
for (const [store, place, strategy] of [
  ['PostgreSQL', variables.TEST_POSTGRES_URL, 'jwt'],
  ['PostgreSQL', variables.TEST_POSTGRES_URL, 'database'],
  ['Redis', variables.TEST_REDIS_URL, 'jwt'],
  ['Redis', variables.TEST_REDIS_URL, 'database'],
]) {
  const setting = JSON.stringify({ store, place, strategy, issuer: op.issuer })
  const nodes = await startServers('noticed.mjs', Array(3).fill(setting))
  const seen = await measureNotices(nodes.map(({ origin }) => origin))
  for (const { child } of nodes) child.disconnect()
  const kept = strategy === 'jwt' ? 'in cookies' : 'in the database'
  rows.push({ name: `${store}, sessions ${kept}`, seen, ours: true })
}
op.close()
await stop()

report('notice-delays', {
  title: 'How a notice of a provider reaches three servers',
  note:
    `${NOTICES} notices each, with the token of an account to forget. Delays are from the answer to the notice ` +
    'until the other two servers refuse the session, asked every 2 ms. Statements are medians.',
  rows,
  columns: [
    ['answered in ms, median', of('notice', 0.5)],
    ['refused elsewhere after ms, median', of('delay', 0.5)],
    ['p90', of('delay', 0.9)],
    ['longest', of('delay', 1)],
    ['signing out in ms, median', of('leave', 0.5)],
    ['statements: signing in again', of('signInAsked', 0.5)],
    ['a check', of('checkAsked', 0.5)],
    ['a notice', of('noticeAsked', 0.5)],
    ['the first check after it', of('endedAsked', 0.5)],
    ['signing out', of('leaveAsked', 0.5)],
  ],
})

function of(name, share) {
  return ({ seen }) => {
    const sorted = seen[name].sort((one, other) => one - other)
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    return name.endsWith('Asked') ? String(value) : value.toFixed(1)
  }
}

async function measureNotices([first, ...others]) {
  const seen = {}
  const add = (name, value) => {
    seen[name] = [...(seen[name] ?? []), value]
  }
  const asked = async origin => Number(await (await fetch(`${origin}/asked`)).text())
  const isIn = async (origin, visitor) => (await visitor.ask(`${origin}/auth/session`)) !== 'null'
  await signIn(first, 'before') // the user is there, and everything is loaded
  for (let index = 0; index < NOTICES; index++) {
    const sid = `session-${index}`
    const visitor = await signIn(first, sid, () => asked(first), add)
    for (const origin of [first, ...others]) {
      if (!(await isIn(origin, visitor))) throw new Error('not signed in')
    }
    await asked(first)
    await isIn(first, visitor)
    add('checkAsked', await asked(first))
    const body = new URLSearchParams({ logout_token: await op.notice(sid) })
    const begun = performance.now()
    const { status } = await fetch(`${first}/auth/backchannel-logout/op`, { method: 'POST', body })
    const answered = performance.now()
    if (status !== 200) throw new Error(`the notice was answered with ${status}`)
    add('notice', answered - begun)
    add('noticeAsked', await asked(first))
    await Promise.all(
      others.map(async origin => {
        while (await isIn(origin, visitor)) await pause(2)
        add('delay', performance.now() - answered)
      }),
    )
    await asked(first)
    if (await isIn(first, visitor)) throw new Error('still signed in')
    add('endedAsked', await asked(first))
    const leaver = await signIn(first, `${sid}-again`)
    const csrfToken = await leaver.csrfToken(first)
    await asked(first)
    const leaving = performance.now()
    const left = await leaver.post(`${first}/auth/signout`, { csrfToken })
    add('leave', performance.now() - leaving)
    if (!left.includes('/logout?')) throw new Error('not sent to the provider')
    add('leaveAsked', await asked(first))
  }
  return seen
}

/** A browser that signs in, within a session at the provider. */
async function signIn(origin, sid, asked, add) {
  const visitor = createVisitor()
  const csrfToken = await visitor.csrfToken(origin)
  const to = new URL(await visitor.post(`${origin}/auth/signin/op`, { csrfToken }))
  const { state, nonce } = Object.fromEntries(to.searchParams)
  const code = Buffer.from(JSON.stringify({ nonce, sid })).toString('base64url')
  await asked?.()
  await visitor.ask(`${origin}/auth/callback/op?${new URLSearchParams({ code, state })}`)
  if (asked) add('signInAsked', await asked())
  return visitor
}

function createVisitor() {
  const cookies = new Map()
  async function send(url, init = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
      // What the others are asked for must not change what the first one is sent.
      if (value === '') continue
      cookies.set(name, value)
    }
    return answer
  }
  return {
    ask: async url => (await send(url)).text(),
    post: async (url, fields) =>
      (await send(url, { method: 'POST', body: new URLSearchParams(fields) })).headers.get(
        'location',
      ) ?? '',
    csrfToken: async origin => (await (await send(`${origin}/auth/csrf`)).json()).csrfToken,
  }
}

async function startProvider() {
  const { publicKey, privateKey } = await jose.generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await jose.exportJWK(publicKey)), kid: '1', alg: 'ES256', use: 'sig' }
  const now = () => Math.floor(Date.now() / 1000)
  const sign = claims =>
    new jose.SignJWT({ iss: issuer, aud: 'client', iat: now(), exp: now() + 120, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: '1' })
      .sign(privateKey)
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(await answer(request.url, String(Buffer.concat(chunks)))))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${server.address().port}`

  async function answer(path, body) {
    if (path === '/jwks') return { keys: [jwk] }
    if (path === '/token') {
      const code = new URLSearchParams(body).get('code')
      const { nonce, sid } = JSON.parse(Buffer.from(code, 'base64url').toString())
      const id_token = await sign({ sub: 'ann', name: 'Ann', email: 'ann@op.test', nonce, sid })
      return { access_token: 'a', refresh_token: sid, token_type: 'bearer', id_token }
    }
    if (path === '/revoke') return {}
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/logout`,
      revocation_endpoint: `${issuer}/revoke`,
      id_token_signing_alg_values_supported: ['ES256'],
    }
  }

  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  return {
    issuer,
    notice: sid => sign({ sub: 'ann', sid, jti: crypto.randomUUID(), events }),
    close: () => server.close(),
  }
}
