import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

export default defineConfig({
  adapter: node({ mode: 'standalone' }),
  output: 'server',
  devToolbar: { enabled: false },
  // Without these, Astro takes every request for one to localhost, and refuses forms sent to any other name.
  security: { allowedDomains: [{ hostname: '127.0.0.1' }, { hostname: 'app.example.com' }] },
})
