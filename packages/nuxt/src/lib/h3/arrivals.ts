import type { H3Event } from 'h3'

/** The events that requests arrived with, and how they belong together. */
export interface Arrivals {
  /** Takes note of an event that a request arrived with. */
  note(event: H3Event): void
  /** The event on whose behalf the server made this request to itself. */
  outerOf(event: H3Event): H3Event | undefined
  /** The event of the browser's own request. */
  outermostOf(event: H3Event): H3Event
  /** Whether the server made this request to itself for a response that is cached for everybody. */
  isPartOfCached(event: H3Event): boolean
  /** Whether the response is cached: by Nitro, which made a copy of the event, or by the platform. */
  isCachedAsIs(event: H3Event): boolean
  /**
   * Whether the response is cached for everybody. Nitro renders what it caches with a copy of the event that has no
   * cookies, but the context of the visitor who happened to be the first.
   */
  isForEverybody(event: H3Event): boolean
}

export function noteArrivals(): Arrivals {
  const received = new WeakSet<H3Event>()
  const byContext = new WeakMap<object, H3Event>()

  function outerOf(event: H3Event): H3Event | undefined {
    // `event.fetch` and `event.$fetch` hand the context on, and Nitro puts it here.
    const { __unenv__: context } = event.node.req as { __unenv__?: unknown }
    const outer = isObject(context) ? byContext.get(context) : undefined
    return outer === event ? undefined : outer
  }

  function outermostOf(event: H3Event): H3Event {
    const outer = outerOf(event)
    return outer ? outermostOf(outer) : event
  }

  function isCopy(event: H3Event): boolean {
    return isCaching(event) && !received.has(event)
  }

  function isPartOfCached(event: H3Event): boolean {
    const outer = outerOf(event)
    return outer !== undefined && (isCaching(outer) || isForEverybody(outer))
  }

  function isForEverybody(event: H3Event): boolean {
    const { cache, swr, isr, prerender } = rulesFor(event)
    return isCopy(event) || Boolean(cache || swr || isr || prerender) || isPartOfCached(event)
  }

  return {
    note(event) {
      // A copy that Nitro made may come by as well.
      if (!isCaching(event)) received.add(event)
      if (!byContext.has(event.context)) byContext.set(event.context, event)
    },
    outerOf,
    outermostOf,
    isPartOfCached,
    isCachedAsIs: event => isCopy(event) || Boolean(rulesFor(event).isr && !outerOf(event)),
    isForEverybody,
  }
}

function isCaching({ context }: H3Event): boolean {
  return (context as NitroContext).cache !== undefined
}

function rulesFor({ context }: H3Event): RouteRules {
  return (context as NitroContext)._nitro?.routeRules ?? {}
}

/** What Nitro notes about a request. */
interface NitroContext {
  /** Set if a response is made to be cached. */
  readonly cache?: unknown
  readonly _nitro?: { readonly routeRules?: RouteRules }
}

/** The rules by which a response is cached, or was made when the application was built. */
interface RouteRules {
  readonly cache?: unknown
  readonly swr?: unknown
  readonly isr?: unknown
  readonly prerender?: unknown
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
