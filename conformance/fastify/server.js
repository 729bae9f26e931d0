import { MemoryAdapter } from '@siteauth/adapters/memory'
import { guardProbe, integrationConfig } from '@siteauth/testing/integration-config'
import { createApp } from './dist/application.js'

const app = await createApp(
  integrationConfig(process.env, MemoryAdapter()),
  guardProbe(process.env),
)
await app.listen({ host: process.env.HOST, port: Number(process.env.PORT) })
