import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const { addRoutes } = await import(`./${process.env.CONTENDER}.js`)
const app = new Hono()
addRoutes(app)
serve({ fetch: app.fetch, hostname: process.env.HOST, port: Number(process.env.PORT) })
