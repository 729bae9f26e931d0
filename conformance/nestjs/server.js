import { ExpressAdapter } from '@nestjs/platform-express'
import { MemoryAdapter } from '@siteauth/adapters/memory'
import { guardProbe, integrationConfig } from '@siteauth/testing/integration-config'
import { createApp } from './dist/application.js'

const platform = new ExpressAdapter()
platform.set('trust proxy', 'loopback')
const config = integrationConfig(process.env, MemoryAdapter())
const app = await createApp(config, platform, guardProbe(process.env))
await app.listen(Number(process.env.PORT), process.env.HOST)
