import type { PageConfig } from '../config/resolved-config.ts'
import { pageUrl } from '../flows/request/endpoint-url.ts'
import { pageOrigin } from '../flows/request/page-context.ts'
import { acceptsHtml } from '../http/accepts-html.ts'
import type { SentRequest } from '../http/request.ts'
import { json, type Outgoing, type OutgoingJson, type OutgoingPage } from '../http/response.ts'

/** Answers a request that has no endpoint, or cannot be understood. */
export async function rejectRequest(
  config: PageConfig,
  request: SentRequest,
  status: 400 | 404 | 405 | 413,
  /** The methods that there are. */
  allow: readonly string[],
): Promise<Outgoing> {
  const response = await rejectionResponse(config, request, status)
  return allow.length > 0 ? { ...response, allow } : response
}

async function rejectionResponse(
  config: PageConfig,
  request: SentRequest,
  status: number,
): Promise<OutgoingJson | OutgoingPage> {
  if (wantsPage(request)) {
    const { builtInError } = await import('../flows/page/show-error.ts')
    const code = status === 404 || status === 405 ? 'NotFound' : 'BadRequest'
    const details = status === 404 ? [whereEndpointsAre(config)] : []
    const origin = pageOrigin(config, request)
    return { ...(await builtInError(config, origin, request, code, details)), status }
  }
  if (request.headers.has('x-auth-return-redirect')) {
    // Scripts that expect a URL to go to get one.
    const url = pageUrl(config, pageOrigin(config, request), 'error', { error: 'Configuration' })
    return json({ message: messages[status], url }, status)
  }
  return json(status === 400 ? 'Bad request.' : { message: messages[status] }, status)
}

/** For someone who mounted them elsewhere, or mistyped the address. Shown in development. */
function whereEndpointsAre({ paths }: PageConfig): string {
  return `There is nothing at this address. The endpoints are under ${paths.public}, as in ${paths.public}/signin.`
}

const messages: Readonly<Record<number, string>> = {
  400: 'Bad request.',
  404: 'Not found.',
  405: 'Method not allowed.',
  413: 'The body is too large.',
}

function wantsPage(request: SentRequest): boolean {
  return !request.headers.has('x-auth-return-redirect') && acceptsHtml(request.headers)
}
