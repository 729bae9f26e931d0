const { CONTENDER } = process.env

// What a contender adds to every request is decided when Nuxt builds, so each is built by itself.
export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  modules: CONTENDER === 'siteauth' ? ['@siteauth/nuxt'] : [],
  serverDir: CONTENDER,
  buildDir: `.nuxt/${CONTENDER}`,
  nitro: { output: { dir: `.output/${CONTENDER}` } },
  telemetry: false,
  devtools: { enabled: false },
})
