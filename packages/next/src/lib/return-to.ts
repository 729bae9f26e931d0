import { addressedBy } from './addressed-by.ts'
import { originOf } from './origin-of.ts'
import type { OwnRequest } from './own-call.ts'
import { prefixOf } from './settings.ts'
import { withoutRsc } from './without-rsc.ts'

/** Where people go back to: a path as the application writes it, or a URL. */
export function returnTo({ current, frame }: OwnRequest, asked: unknown): string {
  const url = typeof asked === 'string' && asked !== '' ? asked : ownReferer(current.headers, frame)
  const prefix = prefixOf(frame)
  const path = url ?? '/'
  const isOwn = path.startsWith('/') && !path.startsWith('//') && !path.startsWith('/\\')
  const isShort = isOwn && path !== prefix && !path.startsWith(`${prefix}/`)
  return prefix && isShort ? prefix + path : path
}

/** The page that the visitor is on, if it is one of this site. */
function ownReferer(headers: Headers, frame: OwnRequest['frame']): string | null {
  const referer = headers.get('referer')
  if (!referer || !URL.canParse(referer)) return null
  const url = withoutRsc(new URL(referer))
  return url.origin === originOf(frame, addressedBy(headers, frame)) ? url.href : null
}
