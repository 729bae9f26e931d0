import { createApplication } from './dist/application.js'

const { fetch } = createApplication(process.env)
Bun.serve({ fetch, hostname: process.env.HOST, port: Number(process.env.PORT) })
