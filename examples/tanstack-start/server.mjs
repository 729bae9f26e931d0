import { serve } from 'srvx'
import { serveStatic } from 'srvx/static'
import application from './dist/server/server.js'

serve({
  port: process.env.PORT ?? 3000,
  middleware: [serveStatic({ dir: 'dist/client' })],
  fetch: request => application.fetch(request),
})
