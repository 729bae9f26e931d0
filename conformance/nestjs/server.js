import { ExpressAdapter } from '@nestjs/platform-express'
import { MemoryAdapter } from '@siteauth/adapters/memory'
import { integrationConfig } from '@siteauth/testing/integration-config'
import { createApp } from './dist/application.js'

const platform = new ExpressAdapter()
platform.set('trust proxy', 'loopback')
const app = await createApp(integrationConfig(process.env, MemoryAdapter()), platform)
await app.listen(Number(process.env.PORT), process.env.HOST)
