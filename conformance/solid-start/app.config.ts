import { defineConfig } from '@solidjs/start/config'

export default defineConfig({
  middleware: 'src/middleware.ts',
  server: {
    routeRules: {
      '/kept': { isr: 60 },
      '/auth/**': { headers: { 'cdn-cache-control': 'max-age=60' } },
    },
  },
})
