import { ErrorPageLoop } from '../base/errors.ts'
import { logProblems } from '../config/resolution/resolve-config.ts'
import type { InvalidConfig } from '../config/resolved-config.ts'
import { pageUrl } from '../flows/request/endpoint-url.ts'
import { pageOrigin } from '../flows/request/page-context.ts'
import type { AuthAction, SentRequest } from '../http/request.ts'
import { json, type Outgoing, redirect } from '../http/response.ts'
import { ENDPOINTS } from './routes.ts'

/** Nothing works until the configuration does: every response is an error, and the log has the reason. */
export async function configErrorResponse(
  config: InvalidConfig,
  request: SentRequest,
  action: AuthAction,
): Promise<Outgoing> {
  logProblems(config)
  const isPage = request.method === 'GET' && ENDPOINTS[action].kind === 'page'
  if (!isPage) return json({ message: problemMessage }, 500)
  const origin = pageOrigin(config, request)
  const { error: ownPage } = config.pages
  if (ownPage) {
    const returnTo = new URL(request.url).searchParams.get('callbackUrl')
    if (!returnTo?.startsWith(ownPage)) {
      return redirect(pageUrl(config, origin, 'error', { error: 'Configuration' }))
    }
    config.logger.error(
      new ErrorPageLoop(
        `The error page ${ownPage} requires visitors to be signed in. Leave it open to everyone.`,
      ),
    )
  }
  const { builtInError } = await import('../flows/page/show-error.ts')
  const details = config.problems.flatMap(problem => [
    `${problem.type}: ${problem.message}`,
    `See ${problem.help}`,
  ])
  return builtInError(config, origin, request, 'Configuration', details)
}

const problemMessage =
  'There was a problem with the server configuration. Check the server logs for more information.'
