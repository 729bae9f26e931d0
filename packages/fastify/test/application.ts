import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import formbody from '@fastify/formbody'
import { CredentialsSignin, type FastifyAuthConfig, SiteAuth } from '@siteauth/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import type { GuardProbe } from '../../testing/src/integration-config.ts'

interface Form {
  Body: Record<string, string>
}

/** The application that the suite asks for. */
export async function createApp(
  config: FastifyAuthConfig,
  probe: GuardProbe,
): Promise<FastifyInstance> {
  const auth = SiteAuth(config)
  const app = Fastify({ trustProxy: 'loopback' })
  await app.register(formbody)
  await app.register(auth.plugin)
  // As session stores, compressors and audit logs do: only then can a visitor hang up before a denial is sent.
  app.addHook('onSend', async request => {
    if (request.headers['x-slow-response']) await setTimeout(20)
  })
  const guard = probe.isInFront ? undefined : { preHandler: auth.requireSession() }
  if (probe.isInFront) {
    const { except, allow } = probe
    app.addHook('preHandler', auth.requireSession({ except, allow }))
    app.get('/*', async () => probe.ran())
  }
  app.get('/ran', async () => String(probe.count))
  app.get('/login', async () => probe.signInPage)
  app.get('/files/*', guard ?? {}, async () => probe.ran())
  app.get('/item/:id', guard ?? {}, async () => probe.ran())
  const onlyFor = probe.isInFront ? {} : { preHandler: auth.requireSession({ allow: probe.allow }) }
  app.get('/only-ada', onlyFor, async () => probe.ran())
  app.get('/', async (request, reply) => {
    const session = await auth.getSession(request)
    return reply.type('text/html').send(`Hello, ${session?.user?.name ?? 'stranger'}`)
  })
  app.get('/api/me', async (request, reply) => {
    return reply.type('application/json').send(JSON.stringify(await auth.getSession(request)))
  })
  app.get('/private', { preHandler: auth.requireSession() }, async request => {
    const session = await auth.getSession(request)
    return `Private: ${session?.user?.name}`
  })
  const onlyAda = auth.requireSession({ allow: ({ user }) => user?.name === 'Ada' })
  app.get('/admin', { preHandler: onlyAda }, async () => 'admin')
  app.get('/stream', async (request, reply) => {
    const session = await auth.getSession(request)
    const name = session?.user?.name
    return reply.type('text/plain').send(Readable.from([`${name} first, `, `${name} second`]))
  })
  app.get('/still.txt', async () => 'still')
  app.post<Form>('/login', async (request, reply) => {
    try {
      return await auth.signIn(request, 'credentials', { ...request.body, redirectTo: '/private' })
    } catch (error) {
      if (error instanceof CredentialsSignin) return reply.code(401).send('Who are you?')
      throw error
    }
  })
  app.post('/logout', request => auth.signOut(request, { redirectTo: '/' }))
  app.post<Form>('/rename', request => auth.update(request, { name: request.body['name'] }))
  return app
}
