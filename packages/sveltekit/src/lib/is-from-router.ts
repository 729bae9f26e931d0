import type { RequestEvent } from '@sveltejs/kit'

/** Whether SvelteKit's own script asks, which knows redirects and errors in its own format only. */
export function isFromRouter({ isDataRequest, request }: RequestEvent): boolean {
  return isDataRequest || request.headers.has('x-sveltekit-action')
}
