import node from '@astrojs/node'
import { defineConfig, memoryCache } from 'astro/config'

export default defineConfig({
  adapter: node({ mode: 'standalone' }),
  output: 'server',
  devToolbar: { enabled: false },
  // The worst that an application can say: that everybody is given the same, everywhere.
  experimental: {
    cache: { provider: memoryCache() },
    routeRules: { '/[...path]': { maxAge: 3600 } },
  },
  // Without these, Astro takes every request for one to localhost, and refuses forms sent to any other name.
  security: { allowedDomains: [{ hostname: '127.0.0.1' }, { hostname: 'app.example.com' }] },
})
