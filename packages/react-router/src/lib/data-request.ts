import type { RouteArgs } from './route.ts'

/**
 * Whether React Router's script asks for what a page needs, because somebody followed a link or sent a form.
 * The script understands React Router's own format and redirects, and nothing else.
 */
export function isDataRequest({ request }: Pick<RouteArgs, 'request'>): boolean {
  return new URL(request.url).pathname.endsWith('.data')
}

/** Whether an answer is in the format of that script. */
export function isForScript({ headers }: Response): boolean {
  return headers.has('x-remix-response')
}

/** Has the browser itself go where a redirect leads, and not the script: as `redirectDocument` does. */
export function leaveToBrowser(headers: Headers): void {
  headers.set('x-remix-reload-document', 'true')
}
