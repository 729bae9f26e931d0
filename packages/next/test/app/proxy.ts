import { type NextFetchEvent, type NextRequest, NextResponse } from 'next/server'
import { auth, lazy, tokens } from './auth'

const wrapped = auth(request => {
  if (request.nextUrl.pathname === '/wrapped/answer') {
    return Response.json(request.auth?.user ?? null)
  }
  if (request.nextUrl.pathname === '/wrapped/rewrite') {
    return NextResponse.rewrite(new URL(`${request.nextUrl.basePath}/page`, request.url))
  }
  if (request.nextUrl.pathname === '/wrapped/headers') {
    const headers = new Headers(request.headers)
    headers.set('x-from-proxy', 'yes')
    return NextResponse.rewrite(new URL(`${request.nextUrl.basePath}/api/echo`, request.url), {
      request: { headers },
    })
  }
})
const lazily = lazy.auth(request => Response.json(request.auth?.user ?? null))

/** Each way to use `auth` in a proxy, by path. */
export default async function proxy(request: NextRequest, event: NextFetchEvent) {
  const { pathname } = request.nextUrl
  if (pathname === '/untouched') return NextResponse.next()
  if (pathname.startsWith('/wrapped')) return wrapped(request, event)
  if (pathname.startsWith('/lazily')) return lazily(request, event)
  if (pathname.startsWith('/lazy-inline')) return lazy.auth(request, event)
  if (pathname === '/tokens/kept') return tokens.kept.auth(request, event)
  if (pathname === '/tokens/stored') return tokens.stored.auth(request, event)
  if (pathname.startsWith('/composed')) {
    const { session, applyTo } = await auth.session(request)
    const page = pathname.endsWith('/still') ? 'static' : 'page'
    const response = NextResponse.rewrite(
      new URL(`${request.nextUrl.basePath}/${page}`, request.url),
    )
    response.headers.set('x-visitor', String(session?.user.name ?? 'nobody'))
    return applyTo(response)
  }
  return auth(request, event)
}

export const config = { matcher: ['/((?!_next/|api/plain|thrice|live/).*)'] }
