import { defineConfig } from '@solidjs/start/config'

export default defineConfig({
  middleware: 'src/middleware.js',
  // Which contender it is, is awaited when the server starts.
  server: { esbuild: { options: { target: 'es2022' } } },
})
