import type { SentHeaders } from './request.ts'

/** Whether a response may be a page: browsers list its type when they navigate, programs rarely do. */
export function acceptsHtml(headers: Pick<SentHeaders, 'get'>): boolean {
  return headers.get('accept')?.includes('text/html') ?? false
}
