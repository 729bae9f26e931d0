import { serve } from '@hono/node-server'
import { MemoryAdapter } from '@siteauth/adapters/memory'
import { guardProbe, integrationConfig } from '@siteauth/testing/integration-config'
import { createApp } from './dist/application.js'

const config = integrationConfig(process.env, MemoryAdapter())
const { fetch } = createApp(config, guardProbe(process.env))
serve({ fetch, hostname: process.env.HOST, port: Number(process.env.PORT) })
