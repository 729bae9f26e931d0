// A server of Node without a framework: it says who is signed in, and at /bare the same without knowing.
import { createServer } from 'node:http'
import { serve } from '../lib/servers.mjs'
import {
  betterAuth,
  config,
  ironSession,
  login,
  requestsWith,
  signedSession,
  storedSession,
  tokens,
  user,
} from '../lib/signed-in.mjs'

/** Each gives a function that answers a request, and the cookies to send. */
const contenders = {
  'SiteAuth, every token opened': () => siteAuth({ jwt: { cacheBytes: 0 } }),
  'SiteAuth, tokens recur': () => siteAuth({}),
  'cookie-session': async () => withMiddleware(await signedSession()),
  'express-session in memory': async () => withMiddleware(await storedSession()),
  'iron-session': async () => withFunction(await ironSession()),
  'Better Auth, memory': async () => withFunction(await betterAuth('Better Auth, memory')),
  async '@auth/core, GET session'() {
    const { Auth } = await import('@auth/core')
    const old = { ...config, basePath: '/auth' }
    const find = async ({ headers: { cookie } }) => {
      const request = new Request('http://localhost/auth/session', { headers: { cookie } })
      return (await (await Auth(request, old)).json())?.user
    }
    return withFunction({ find, cookies: await tokens() })
  },
}

const { route, cookies } = await contenders[process.argv[2]]()
const server = createServer((req, res) =>
  req.url === '/bare' ? answer(res, user) : route(req, res),
)
await serve(server, requestsWith(cookies))

function answer(res, found) {
  if (found?.name !== user.name) {
    res.statusCode = 500
    return res.end()
  }
  const body = JSON.stringify({ hello: found.name })
  res.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  res.end(body)
}

async function siteAuth(options) {
  const { createAuth } = await import('@siteauth/core')
  const { getSession } = createAuth({ ...config, ...options })
  return withFunction({
    find: async req => (await getSession(req))?.user,
    cookies: await tokens(),
  })
}

function withFunction({ find, cookies }) {
  return { route: async (req, res) => answer(res, await find(req, res)), cookies }
}

function withMiddleware(middleware) {
  const route = (req, res) =>
    middleware(req, res, () => {
      if (req.url.endsWith('?login=1')) req.session.user = user
      answer(res, req.session.user)
    })
  return { route, cookies: login }
}
