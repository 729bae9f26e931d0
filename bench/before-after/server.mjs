// A server of one version with a route that knows who is signed in.
import { createServer } from 'node:http'
import { serve } from '../lib/servers.mjs'
import { config, user } from '../lib/signed-in.mjs'
import { importFrom } from './import-from.mjs'

const [framework, tree] = process.argv.slice(2)
const quiet = { ...config, logger: { error() {}, warn() {}, debug() {} } }

const STARTS = {
  async 'node:http'() {
    const { createAuth } = await importFrom(tree, '@siteauth/core')
    const { getSession } = createAuth(quiet)
    return createServer(async (req, res) => {
      const found = await getSession(req)
      res.writeHead(found ? 200 : 500, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ hello: found?.user?.name }))
    })
  },
  async Express() {
    const { default: express } = await import('express')
    const { getSession } = await importFrom(tree, '@siteauth/express')
    const app = express()
    app.get('/', async (req, res) => respond(res, await getSession(req, quiet)))
    return createServer(app)
  },
  async 'Express middleware'() {
    const { default: express } = await import('express')
    const siteAuth = await importFrom(tree, '@siteauth/express')
    const app = express()
    // Before calls were grouped, it was a function of the package.
    const middleware = siteAuth.session?.(quiet) ?? siteAuth.SiteAuth(quiet).sessionMiddleware
    app.get('/', middleware, (_req, res) => respond(res, res.locals.session))
    return createServer(app)
  },
  async Fastify() {
    const { default: fastify } = await import('fastify')
    const { SiteAuth } = await importFrom(tree, '@siteauth/fastify')
    const auth = SiteAuth(quiet)
    const app = fastify()
    await app.register(auth.plugin)
    app.get('/', async (request, reply) => {
      const found = await auth.getSession(request)
      if (found?.user?.name !== user.name) reply.code(500)
      return { hello: found?.user?.name }
    })
    await app.ready()
    return app.server
  },
  async Hono() {
    const { Hono } = await import('hono')
    const { getRequestListener } = await import('@hono/node-server')
    const { SiteAuth } = await importFrom(tree, '@siteauth/hono')
    const auth = SiteAuth(quiet)
    const app = new Hono()
    app.use(auth.handler)
    app.get('/', async c => {
      const found = await auth.getSession(c)
      return c.json({ hello: found?.user?.name }, found ? 200 : 500)
    })
    return createServer(getRequestListener(app.fetch))
  },
}

await serve(await STARTS[framework]())

function respond(res, found) {
  if (found?.user?.name !== user.name) return res.status(500).end()
  res.json({ hello: found.user.name })
}
