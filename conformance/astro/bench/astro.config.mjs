import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

export default defineConfig({
  adapter: node({ mode: 'standalone' }),
  output: 'server',
  // Without it, Astro takes every request for one to localhost.
  security: { allowedDomains: [{ hostname: '127.0.0.1' }] },
})
