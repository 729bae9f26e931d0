import type { H3Event } from 'h3'

/** The events that requests arrived with, and how they belong together. */
export interface Arrivals {
  /** Takes note of an event that a request arrived with. */
  note(event: H3Event): void
  /** The event on whose behalf the server made this request to itself. */
  outerOf(event: H3Event): H3Event | undefined
  /**
   * Whether the answer is kept and given to everybody. Nitro renders what it keeps with a copy of the event that has
   * no cookies, but the context of the visitor who happened to be the first.
   */
  isForEverybody(event: H3Event): boolean
}

export function noteArrivals(): Arrivals {
  const known = new WeakSet<H3Event>()
  const byContext = new WeakMap<object, H3Event>()

  function outerOf(event: H3Event): H3Event | undefined {
    // `event.fetch` and `event.$fetch` hand the context on, and Nitro puts it here.
    const { __unenv__: context } = event.node.req as { __unenv__?: unknown }
    const outer = isObject(context) ? byContext.get(context) : undefined
    return outer === event ? undefined : outer
  }

  function isKept(event: H3Event): boolean {
    const { cache, _nitro } = event.context as NitroContext
    const { routeRules: rules } = _nitro ?? {}
    const isCopy = cache !== undefined && !known.has(event)
    return isCopy || Boolean(rules?.cache || rules?.isr || rules?.swr || rules?.prerender)
  }

  return {
    note(event) {
      known.add(event)
      if (!byContext.has(event.context)) byContext.set(event.context, event)
    },
    outerOf,
    isForEverybody(event) {
      if (isKept(event)) return true
      const outer = outerOf(event)
      if (!outer) return false
      const { cache } = outer.context as NitroContext
      return cache !== undefined || this.isForEverybody(outer)
    },
  }
}

/** What Nitro notes about a request. */
interface NitroContext {
  /** Set where an answer is made to be kept. */
  readonly cache?: unknown
  readonly _nitro?: { readonly routeRules?: RouteRules }
}

/** Rules by which an answer is kept, or was made when the application was built. */
interface RouteRules {
  readonly cache?: unknown
  readonly swr?: unknown
  readonly isr?: unknown
  readonly prerender?: unknown
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
