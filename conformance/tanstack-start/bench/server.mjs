import { serve } from 'srvx'
import { serveStatic } from 'srvx/static'
import application from './dist/server/server.js'

serve({
  hostname: process.env.HOST,
  port: process.env.PORT,
  middleware: [serveStatic({ dir: 'dist/client' })],
  fetch: request => application.fetch(request),
})
