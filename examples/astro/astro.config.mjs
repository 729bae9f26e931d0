import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

export default defineConfig({
  adapter: node({ mode: 'standalone' }),
  output: 'server',
  // The names of your site. Astro refuses forms that are sent to any other.
  security: { allowedDomains: [{ hostname: 'localhost' }, { hostname: '127.0.0.1' }] },
})
