import { createApplication } from './dist/application.js'

const { HOST, PORT, ...env } = Deno.env.toObject()
Deno.serve({ hostname: HOST, port: Number(PORT) }, createApplication(env).fetch)
