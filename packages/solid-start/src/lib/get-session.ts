import { createIntegration, type FrameworkAdapter, toResponse } from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import type { ExposedSession, Session } from '@siteauth/core/types'
import { findEvent } from './current-event.ts'
import { getDefaultPath } from './default-path.ts'
import { hideErrorDetails } from './hide-error-details.ts'
import { isCachedPage } from './is-cached-page.ts'
import type { SolidAuthConfig } from './solid-auth.ts'

type Reader = (request: Request) => Promise<unknown>

const readers = new WeakMap<object, Reader>()

/**
 * Who sent a request, or null, by the configuration that `SolidAuth` was given. Renews nothing, since it sees no answer;
 * `getSession` of what `SolidAuth` returns does.
 *
 * @example
 * ```ts
 * import { getSession } from '@siteauth/solid-start'
 * import GitHub from '@siteauth/core/providers/github'
 *
 * const config = { providers: [GitHub] }
 *
 * export async function GET({ request }: { request: Request }): Promise<Response> {
 *   const session = await getSession(request, config)
 *   return Response.json(session?.user ?? null)
 * }
 * ```
 */
export async function getSession<Token = JWT, Sess = Session, Exposed extends string = never>(
  request: Request,
  config: Exclude<SolidAuthConfig<Token, Sess, Exposed>, (...given: never) => unknown>,
): Promise<ExposedSession<Sess, Exposed, Token> | null> {
  const event = findEvent()
  if (event && isCachedPage(event)) return null
  const read =
    readers.get(config) ?? createIntegration(HOST, config, getDefaultPath(config)).calls.getSession
  readers.set(config, read)
  return (await hideErrorDetails(() => read(request))) as ExposedSession<
    Sess,
    Exposed,
    Token
  > | null // its reader has these types
}

const HOST: FrameworkAdapter<Request, Response> = {
  request: request => request,
  hasBegun: () => true,
  change() {},
  respond: (_request, response) => toResponse(response),
}
