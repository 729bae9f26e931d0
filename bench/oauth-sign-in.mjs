// Signing in by OAuth, from the button to the session: the CSRF token, the redirect to the provider, and
// its answer. The provider is a server of this process, which grants everything and is asked over HTTP
// for a token and for the profile. Nothing else is left out.
import { createServer } from 'node:http'
import { Auth } from '@auth/core'
import { createAuth } from '@siteauth/core'
import { measure } from './lib/measure.mjs'
import { report, timeBars, timeColumns } from './lib/report.mjs'

const answers = {
  '/token': { access_token: 'a', token_type: 'bearer' },
  '/userinfo': { id: '1', name: 'Ann', email: 'ann@example.com' },
}
const server = createServer((request, response) => {
  request.resume()
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(answers[request.url]))
}).listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
const idp = `http://127.0.0.1:${server.address().port}`

const provider = {
  id: 'local',
  name: 'Local',
  type: 'oauth',
  clientId: 'client',
  clientSecret: 'secret',
  authorization: `${idp}/authorize`,
  token: `${idp}/token`,
  userinfo: `${idp}/userinfo`,
  checks: ['pkce', 'state'],
  profile: ({ id, name, email }) => ({ id, name, email, image: null }),
}
const shared = { secret: 'a secret of at least thirty-two characters', trustHost: true }
const ours = createAuth(
  { ...shared, providers: [{ ...provider, allowInsecureRequests: true }] },
  { env: {} },
)
const old = { ...shared, basePath: '/auth', providers: [provider] }
const site = 'http://localhost/auth'

report('oauth-sign-in', {
  title: 'Signing in by OAuth against a local server',
  note: 'Limit: the two requests to the provider alone.',
  rows: await measure(
    [
      { name: 'two requests to the provider', run: askProvider },
      { name: 'SiteAuth', ours: true, run: () => signIn(request => ours.handle(request)) },
      { name: '@auth/core', run: () => signIn(request => Auth(request, old)) },
    ],
    { rounds: 21, roundMs: 100 },
  ),
  columns: timeColumns,
  bars: timeBars,
})
server.close()

async function askProvider() {
  await (await fetch(`${idp}/token`, { method: 'POST', body: 'code=x' })).json()
  await (await fetch(`${idp}/userinfo`)).json()
}

async function signIn(handle) {
  const jar = new Map()
  const send = async (path, init = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...init.headers, cookie }
    const response = await handle(new Request(`${site}${path}`, { ...init, headers }))
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }
  const { csrfToken } = await (await send('/csrf')).json()
  const started = await send('/signin/local', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'http://localhost',
    },
    body: new URLSearchParams({ csrfToken }).toString(),
  })
  const state = new URL(started.headers.get('location')).searchParams.get('state')
  await send(`/callback/local?code=x&state=${encodeURIComponent(state)}`)
  if (![...jar.keys()].some(name => name.includes('session'))) throw new Error('nobody')
}
