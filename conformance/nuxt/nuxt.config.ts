export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  modules: ['@siteauth/nuxt'],
  telemetry: false,
  devtools: { enabled: false },
  experimental: { componentIslands: true },
  routeRules: {
    '/about': { prerender: true },
    '/kept': { swr: 3600 },
    '/news': { swr: 3600 },
    '/shared': { headers: { 'cache-control': 's-maxage=60' } },
  },
})
