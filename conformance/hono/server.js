import { serve } from '@hono/node-server'
import { MemoryAdapter } from '@siteauth/adapters/memory'
import { integrationConfig } from '@siteauth/testing/integration-config'
import { createApp } from './dist/application.js'

const { fetch } = createApp(integrationConfig(process.env, MemoryAdapter()))
serve({ fetch, hostname: process.env.HOST, port: Number(process.env.PORT) })
