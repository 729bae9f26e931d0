import { type AuthAction, isAuthAction } from './request.ts'

/** Where a request is for. */
export interface Target {
  readonly action: AuthAction
  readonly providerId: string | undefined
}

/** The endpoints whose path may name a provider. The table of endpoints asks for the same ones. */
export type ProviderAction = Extract<
  AuthAction,
  | 'signin'
  | 'callback'
  | 'webauthn-options'
  | 'backchannel-logout'
  | 'frontchannel-logout'
  | 'access-token'
>

/** For the type above, which asks for each of them. */
const NAMES_PROVIDER: Readonly<Record<ProviderAction, true>> = {
  signin: true,
  callback: true,
  'webauthn-options': true,
  'backchannel-logout': true,
  'frontchannel-logout': true,
  'access-token': true,
}

/**
 * Reads the action and the provider from a path below one of the base paths; null if it names no
 * endpoint. Repeated and trailing slashes do not matter.
 */
export function parsePath(pathname: string, basePaths: readonly string[]): Target | null {
  for (const base of basePaths) {
    const target = parseBelow(pathname, base)
    if (target) return target
  }
  return null
}

function parseBelow(pathname: string, base: string): Target | null {
  if (!pathname.startsWith(base)) return null
  const rest = pathname.slice(base.length)
  if (rest[0] !== '/') return null // `/authsession` is not `/auth/session`
  const [action, providerId, ...more] = rest.split('/').filter(piece => piece !== '')
  if (!action || !isAuthAction(action) || more.length > 0) return null
  const inner = `${action}/${providerId}`
  if (isAuthAction(inner)) return { action: inner, providerId: undefined }
  if (providerId === undefined) return { action, providerId: undefined }
  // The flow itself looks at which file is meant.
  if (action === 'assets') return { action, providerId: undefined }
  if (!(action in NAMES_PROVIDER)) return null
  const id = decode(providerId)
  if (id === null) return null
  // Browser clients that lost the id put its absence into the path.
  return { action, providerId: id === 'undefined' ? undefined : id }
}

function decode(piece: string): string | null {
  try {
    return decodeURIComponent(piece)
  } catch {
    return null
  }
}
