import type { SolidEvent } from './solid-event.ts'

/**
 * Whether the platform keeps the answer to a request and gives it to everybody, whatever its headers say: by a rule with
 * `isr`. Rules with `cache` or `swr` become one where there is such a platform, and have no effect on SolidStart elsewhere.
 */
export function isCachedPage({ request, nativeEvent }: SolidEvent): boolean {
  const { context } = nativeEvent as NitroEvent
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && Boolean(context?._nitro?.routeRules?.isr)
}

/** What Nitro notes about a request. */
interface NitroEvent {
  readonly context?: { readonly _nitro?: { readonly routeRules?: { readonly isr?: unknown } } }
}

/** What to say where somebody is to be let in, signed in or out by such an answer. */
export function cachedPageError({ request }: SolidEvent): Error {
  const { pathname } = new URL(request.url)
  return new Error(
    `The answer to ${pathname} is kept and given to everybody (isr in routeRules), so it cannot depend on who is ` +
      'signed in, or change that. Take that rule away for this path.',
  )
}

/** The message if the endpoints are cached. */
export function cachedEndpointsError(basePath: string): Error {
  return new Error(
    'The platform keeps what the endpoints answer (isr in routeRules), so one visitor would be given the session of ' +
      `another. Add the rule '${basePath}/**': { isr: false }.`,
  )
}
