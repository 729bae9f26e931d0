import type { Awaitable } from '../base/awaitable.ts'
import type { Env } from '../config/env.ts'
import type { ResponseChange } from '../http/change-response.ts'
import type { SentRequest } from '../http/request.ts'
import type { WireResponse } from '../http/write-response.ts'
import type { ExceptNames } from './exemptions.ts'

/**
 * Describes a framework, so that the library can be used in it. `Context` is what its handlers are given, and `FrameworkResponse` what
 * they return.
 *
 * @example
 * ```ts
 * import { type FrameworkAdapter, pendingChanges, toResponse } from '@siteauth/core/integration'
 *
 * interface Context {
 *   readonly request: Request
 * }
 *
 * const changes = pendingChanges<Request>()
 * export const adapter: FrameworkAdapter<Context, Response> = {
 *   request: ({ request }) => request,
 *   change: ({ request }, change) => changes.add(request, change),
 *   respond: (_context, response) => toResponse(response),
 * }
 * ```
 */
export interface FrameworkAdapter<
  Context extends object,
  FrameworkResponse,
  Redirected = FrameworkResponse,
> {
  /** The request. One of the web's own will do; its body is read by the endpoints alone. */
  request(context: Context): SentRequest
  /**
   * Changes the response of the application, now or when there is one: `changeHeaders` and `changeResponse` do it, and
   * `pendingChanges` keeps the change until then.
   */
  change(context: Context, change: ResponseChange): void
  /** Responds in place of the application: with a response of the endpoints, or of a guard that denies a request. */
  respond(context: Context, response: WireResponse): Awaitable<FrameworkResponse>
  /**
   * Redirects on behalf of a call such as `signIn`, whose cookies are on the response already. Returns what the call
   * resolves with, or throws. By default, the call resolves with what `respond` makes of a 303.
   *
   * @param seeOther makes that 303 by `respond`
   */
  redirect?(
    context: Context,
    url: string,
    seeOther: () => Promise<FrameworkResponse>,
  ): Awaitable<Redirected>
  /** Whether the response has begun, so that it can no longer be changed. Defaults to false. */
  hasBegun?(context: Context): boolean
  /** The variables, on platforms that have none for the whole process. */
  env?(context: Context): Env | undefined
  /** The names that the option `except` of a guard in front of the application takes. Without it, such a guard exempts nothing. */
  readonly except?: {
    readonly names: ExceptNames
    /**
     * The route or the path that the framework dispatches a request to, never one parsed from a URL; undefined if the
     * framework dispatches the request to a function, or does not tell.
     */
    nameOf(context: Context): string | undefined
  }
  /** An object that stays the same for the whole request. Without it, the context itself is used. */
  key?(context: Context): object
}
