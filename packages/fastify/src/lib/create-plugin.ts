import type { Integration } from '@siteauth/core/integration'
import { hasMalformedHost } from '@siteauth/core/internal'
import { readBody } from '@siteauth/core/node'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { type FastifyFrameworkAdapter, type SentReply, toRequest } from './framework-adapter.ts'
import { decorateRequests } from './guarded-session.ts'
import { stop } from './stop.ts'

/** The endpoints, and the hooks that put cookies on the answers of the application. */
export function createPlugin(
  fastify: FastifyFrameworkAdapter,
  {
    basePath,
    handle,
  }: Pick<Integration<FastifyRequest, unknown, SentReply>, 'basePath' | 'handle'>,
): FastifyPluginAsync {
  const endpoints: FastifyPluginAsync = async scope => {
    // Bodies are read by us, of whatever type: parsers of the application know but some.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    // Not in the handler: Fastify adds hooks of the application to this scope as well, and a guard that is added later
    // runs before handlers, but after this.
    scope.addHook('preHandler', async request => {
      const body = await readBody(request.raw, { parser: 'a preParsing hook that inflates it' })
      await handle(request, toRequest(request, body))
      return stop()
    })
    scope.all(`${pathWithin(scope.prefix, basePath())}/*`, async (_request, reply) => reply)
  }

  const plugin: FastifyPluginAsync = async app => {
    decorateRequests(app)
    // On every request of the application: a promise for each would cost as much as the rest.
    app.addHook('onRequest', (request, reply, done) => {
      fastify.expect(request, reply)
      if (isMisaddressed(request)) handle(request).catch(done)
      else done()
    })
    app.addHook('onSend', (request, reply, _payload, done) => {
      fastify.finish(request, reply)
      done()
    })
    await app.register(endpoints)
  }
  // What the package fastify-plugin does: the hooks are for all of the application.
  return Object.assign(plugin, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: '@siteauth/fastify',
  })
}

/** Whether a request names a malformed host, or its proxy does, as far as Fastify trusts that. */
function isMisaddressed(request: FastifyRequest): boolean {
  const { host = null, ':authority': authority = null } = request.headers
  const trustedHost = request.host || null // empty if there is none
  return (
    hasMalformedHost({ get: () => host }) ||
    hasMalformedHost({ get: () => trustedHost }) ||
    (authority !== null && hasMalformedHost({ get: () => String(authority) }))
  )
}

/** The path of the endpoints below a prefix that Fastify puts before it. */
function pathWithin(prefix: string, basePath: string): string {
  if (basePath.startsWith(`${prefix}/`) || prefix === '') return basePath.slice(prefix.length)
  throw new TypeError(
    `auth.plugin is registered below "${prefix}", and the endpoints are at "${basePath}". Register it outside ` +
      `of the prefix, or set basePath: '${prefix}${basePath}' in the configuration.`,
  )
}
