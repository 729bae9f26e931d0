import { lazily } from '../base/awaitable.ts'
import { hasMalformedHost } from '../http/host-header.ts'
import type { WireResponse } from '../http/write-response.ts'
import type { FindApplication } from './application.ts'
import { type Denial, decideAccess, isAllowed } from './decide-access.ts'
import { readExemptions } from './exemptions.ts'
import type { FrameworkAdapter } from './framework-adapter.ts'
import { assertGuardOptions } from './guard-options.ts'
import type {
  GuardDenial,
  GuardResult,
  Integration,
  MiddlewareGuardResult,
  RequireSessionMiddlewareOptions,
  RequireSessionOptions,
} from './integration.ts'
import { prefersPage } from './prefers-html.ts'
import type { CalledRequest, RequestSession } from './request-session.ts'
import type { GuardedRequest } from './sign-in-location.ts'

// Most requests are not denied.
const denying = lazily(() => import('./to-denial.ts'))

/** Makes the guards of a framework. */
export function createGuard<Context extends object, Seen, FrameworkResponse>(
  host: FrameworkAdapter<Context, FrameworkResponse, unknown>,
  applicationOf: FindApplication<Context>,
  { session, calledRequest }: RequestSession<Context>,
): Pick<Integration<Context, Seen, FrameworkResponse>, 'guard' | 'createGuard'> {
  /** Responds in place of the application. */
  async function denialOf(
    context: Context,
    response: WireResponse,
  ): Promise<GuardDenial<FrameworkResponse>> {
    // Frameworks may answer with a page of their own, which is no less about one visitor.
    host.change(context, { setCookies: [], caching: 'never' })
    const headers = { ...response.headers, Vary: 'Accept, Cookie' }
    return { denial: { response: await host.respond(context, { ...response, headers }) } }
  }

  async function guard(
    context: Context,
    options: RequireSessionOptions<Seen> = {},
  ): Promise<GuardResult<Seen, FrameworkResponse>> {
    assertGuardOptions(options, ['redirectTo', 'allow'])
    const { redirectTo, allow } = options
    if (hasMalformedHost(host.request(context).headers)) {
      return denialOf(context, await denying(({ malformedHost }) => malformedHost()))
    }
    let found: Seen | null
    try {
      found = (await session(context)) as Seen | null // what the application's own callback returned
    } catch (error) {
      return denialOf(context, await unreadResponse(context, error))
    }
    const allowed = found !== null && (await isAllowed(found, allow))
    const decision = decideAccess(found, { allowed })
    if (decision !== 'allow') return denialOf(context, await deny(context, decision, redirectTo))
    host.change(context, { setCookies: [], caching: 'private' })
    return { session: found as Seen } // access takes one
  }

  async function deny(
    context: Context,
    denial: Denial,
    redirectTo: string | undefined,
  ): Promise<WireResponse> {
    const { siteAddress, loader } = applicationOf(context)
    const request = guardedRequest(calledRequest(context), host.request(context).url)
    const name = host.except && { kind: host.except.names, text: host.except.nameOf(context) }
    const { denyRequest, logPageLoop } = await import('./deny-request.ts')
    const { response, error } = denyRequest(siteAddress, request, denial, { redirectTo, name })
    if (error) logPageLoop(await loader.complete(), error)
    return response
  }

  /** The response if the session cannot be read. Other errors are the application's. */
  async function unreadResponse(context: Context, error: unknown): Promise<WireResponse> {
    const { isAuthError } = await import('../base/errors.ts')
    if (!isAuthError(error)) throw error
    const { problems, logger } = await applicationOf(context).loader.complete()
    // A fault of the configuration was logged when it was found.
    if (!problems) logger.error(error)
    const { wantsPage } = guardedRequest(calledRequest(context), '')
    return denying(({ unknownSession }) => unknownSession(wantsPage, problems ? 500 : 503))
  }

  function createGuard(given: RequireSessionMiddlewareOptions<Seen> = {}) {
    assertGuardOptions(given, ['redirectTo', 'allow', 'except'])
    const { except, ...options } = given
    const exemptions = readExemptions(except, host.except?.names ?? 'paths')
    return async (context: Context): Promise<MiddlewareGuardResult<Seen, FrameworkResponse>> => {
      if (except === undefined) return guard(context, options)
      const { method, headers } = host.request(context)
      const isExempt = exemptions.covers(method, host.except?.nameOf(context))
      return isExempt && !hasMalformedHost(headers) ? { isExempt } : guard(context, options)
    }
  }

  return { guard, createGuard }
}

function guardedRequest({ url, method, headers }: CalledRequest, sentUrl: string): GuardedRequest {
  const isScript = headers.get('x-requested-with')?.toLowerCase() === 'xmlhttprequest'
  const { protocol, host, pathname, search } = url
  const wantsPage = !isScript && prefersPage(headers.get('accept'))
  const sentPath = sentUrl.replace(/^[^:]*:\/\/[^/?#]*/, '')
  return { method, headers, protocol, host, path: pathname + search, sentPath, wantsPage }
}
