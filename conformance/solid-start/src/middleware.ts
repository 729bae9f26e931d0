import { createMiddleware } from '@solidjs/start/middleware'
import { auth } from './auth'

const forAll = new Response(null, { status: 302, headers: { location: '/' } })

export default createMiddleware(
  auth.middleware({
    onRequest: async event => {
      const { pathname } = new URL(event.request.url)
      if (pathname === '/private' || pathname === '/members') {
        const session = await auth.guard()
        if (session instanceof Response) return session
      }
      if (pathname === '/thrown-in-middleware') await auth.requireSession()
      if (pathname === '/forall') {
        await auth.getSession()
        return forAll
      }
    },
    onBeforeResponse: event => {
      if (new URL(event.request.url).pathname === '/members') {
        event.response.headers.set('cache-control', 'public, max-age=60')
      }
    },
  }),
)
