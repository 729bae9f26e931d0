import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Passkey from '@siteauth/core/providers/passkey'
import { getSession, ServerAuth } from '@siteauth/express'
import express from 'express'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { passkeyPageSuite } from '../../core/test/webauthn/page-suite.ts'
import { configure } from './server.ts'

passkeyPageSuite('Express', async () => {
  const adapter = MemoryAdapter()
  const config = configure({
    adapter,
    trustHost: true,
    providers: [Passkey({ allowSignUpWithUnprovenEmail: true })],
    experimental: { enableWebAuthn: true },
  })
  const app = express()
  app.use('/auth', ServerAuth(config))
  app.get('/', async (req, res) => {
    const session = await getSession(req, config)
    const who = session?.user?.email ?? 'Nobody'
    res.send(
      `<!DOCTYPE html><title>Site</title><link rel="icon" href="data:,"><p>${who} is signed in.</p>`,
    )
  })
  app.get('/favicon.ico', (_req, res) => void res.status(204).end())
  const server = createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // Passkeys want a name, and a browser trusts this one without TLS.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    home: '/',
    basePath: '/auth',
    adapter,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
})
