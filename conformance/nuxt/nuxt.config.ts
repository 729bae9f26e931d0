export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  modules: ['@siteauth/nuxt'],
  telemetry: false,
  devtools: { enabled: false },
  routeRules: {
    '/about': { prerender: true },
    '/news': { swr: 3600 },
  },
})
