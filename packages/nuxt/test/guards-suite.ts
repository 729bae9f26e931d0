import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CredentialsSignin, SiteAuth } from '@siteauth/nuxt/server'
import { createApp, createRouter, defineEventHandler, readBody, toNodeListener } from 'h3'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { type GuardSuiteOptions, guardSuite } from '../../testing/src/integration.ts'
import { guardProbe, integrationConfig } from '../../testing/src/integration-config.ts'

/** Attacks the guards of an application on h3, without Nuxt. */
export function attackH3(attacks: GuardSuiteOptions['attacks']): void {
  guardSuite({
    name: 'h3 alone',
    attacks,
    async start(env) {
      const server = createServer(toNodeListener(createSite(env)))
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      return { origin: `http://127.0.0.1:${port}`, stop: () => server.close() }
    },
  })
}

function createSite(env: Readonly<Record<string, string>>) {
  const auth = SiteAuth(integrationConfig(env, MemoryAdapter()))
  const probe = guardProbe(env)
  const { isInFront, except, allow } = probe
  const guarded = (options = {}) =>
    defineEventHandler(async event => {
      if (!isInFront) await auth.requireSession(event, options)
      return probe.ran()
    })
  const router = createRouter()
  router.get(
    '/ran',
    defineEventHandler(() => String(probe.count)),
  )
  router.get(
    '/login',
    defineEventHandler(() => probe.signInPage),
  )
  const enter = defineEventHandler(async event => {
    try {
      return await auth.signIn(event, 'credentials', {
        ...(await readBody(event)),
        redirectTo: '/',
      })
    } catch (error) {
      if (error instanceof CredentialsSignin) return new Response('Who are you?', { status: 401 })
      throw error
    }
  })
  router.post('/login', enter)
  router.get('/files/**', guarded())
  router.get('/item/:id', guarded())
  router.get('/only-ada', guarded({ allow }))
  if (isInFront) router.use('/**', guarded())
  const app = createApp()
  app.use(auth.handler)
  if (isInFront) app.use(auth.requireSession({ except, allow }))
  app.use(router)
  return app
}
