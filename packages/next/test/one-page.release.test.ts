import { onePageSuite } from '../../core/test/browser/one-page-suite.ts'
import { CACHE_ROUTES, READING_ROUTES, TOKEN_ROUTES } from './app-routes.ts'
import { createApp } from './next-app.ts'

// The pages are the engine's, and `npm test` sees them on Express.
// In light colours only: they are the same pages as on Express.
onePageSuite('Next', ['light'], async () => {
  const without = [...CACHE_ROUTES, ...READING_ROUTES, ...TOKEN_ROUTES]
  const app = createApp(16, 'one-page', { without })
  await app.build({ FIXTURE_AS_DEPLOYED: 'yes' }, '--turbopack')
  const running = await app.start()
  const origin = `http://localhost:${running.port}`
  return {
    origin,
    home: '/passwords',
    basePath: '/password-auth',
    lastMessage: async () => (await fetch(`${origin}/passwords/mail`)).text(),
    async close() {
      await running.stop()
      app.remove()
    },
  }
})
