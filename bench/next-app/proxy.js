import { NextResponse } from 'next/server'
import { auth as old } from './old.js'
import { auth as ours } from './ours.js'

/** One that does nothing, and each of the libraries as the proxy itself. */
export function proxy(request, event) {
  const { pathname } = request.nextUrl
  if (pathname.endsWith('/ours')) return ours(request, event)
  if (pathname.endsWith('/old')) return old(request, event)
  return NextResponse.next()
}

export const config = { matcher: '/behind/:path*' }
