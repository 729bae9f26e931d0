import { createMiddleware } from '@solidjs/start/middleware'
import { auth, probe } from './auth'

const forAll = new Response(null, { status: 302, headers: { location: '/' } })
const GUARDED = ['/private', '/members', '/moved']

const { isInFront, except, allow } = probe

const middleware = auth.middlewareWith({
  requireSession: isInFront ? { except, allow } : undefined,
  onRequest: async event => {
    const { pathname } = new URL(event.request.url)
    if (GUARDED.includes(pathname)) {
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
})

/** Middleware that the library does not know of. */
async function beside({ request }: { request: Request }): Promise<Response | undefined> {
  if (new URL(request.url).pathname !== '/beside') return undefined
  const who = auth.getSession().then(session => session?.user?.name)
  return new Response(await who.catch(error => error.message))
}

export default createMiddleware({
  onRequest: [middleware.onRequest, beside],
  onBeforeResponse: [middleware.onBeforeResponse],
})
