import * as page from './page.ts'

/**
 * The address of an endpoint, for a server: it has no page to start from and goes by its
 * environment. Not part of what browsers load, unless something loads all modules as they are.
 */
export function addressOf(base: string, endpoint: string): string {
  const isPath = base.startsWith('/') && typeof window === 'undefined'
  return page.addressOf(isPath ? fromEnvironment(base) : base, endpoint)
}

function fromEnvironment(path: string): string {
  const { env } = process
  const configured =
    env['NEXTAUTH_URL_INTERNAL'] || env['AUTH_URL'] || env['NEXTAUTH_URL'] || env['VERCEL_URL']
  const text = configured || 'http://localhost:3000'
  const { origin, pathname } = new URL(text.includes('://') ? text : `https://${text}`)
  return origin + (pathname === '/' ? path : pathname.replace(/\/$/, ''))
}
