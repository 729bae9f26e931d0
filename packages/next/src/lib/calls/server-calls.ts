import { respond as engineRespond } from '@siteauth/core/internal/endpoints'
import type { NextRequest } from 'next/server.js'
import type { Settings } from '../config/settings.ts'

// What signs people in and out, in one module that bundlers put aside with all that it needs: most requests
// only ask who they are from.
export { callByName } from './call-by-name.ts'
export { attemptSignIn } from './sign-in.ts'
export { signInRedirection } from './sign-in-redirection.ts'

/** Answers a request to the endpoints. */
export async function respond(settings: Settings, request: NextRequest): Promise<Response> {
  const loader = await settings.of(request, request)
  return engineRespond(await loader.complete(), request)
}
