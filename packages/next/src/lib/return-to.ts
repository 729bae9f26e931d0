import type { OwnRequest } from './own-call.ts'
import { prefixOf } from './settings.ts'

/** Where people go back to: a path as the application writes it, or a URL. */
export function returnTo({ current, frame }: OwnRequest, asked: unknown): string {
  const url = typeof asked === 'string' && asked !== '' ? asked : current.headers.get('referer')
  const prefix = prefixOf(frame)
  const path = url ?? '/'
  const isOwn = path.startsWith('/') && !path.startsWith('//') && !path.startsWith('/\\')
  const isShort = isOwn && path !== prefix && !path.startsWith(`${prefix}/`)
  return prefix && isShort ? prefix + path : path
}
