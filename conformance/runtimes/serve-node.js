import { serve } from '@hono/node-server'
import { createApplication } from './dist/application.js'

const { fetch } = createApplication(process.env)
serve({ fetch, hostname: process.env.HOST, port: Number(process.env.PORT) })
