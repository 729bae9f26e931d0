import { RequestContext } from 'solid-js/web'
import { provideRequestEvent } from 'solid-js/web/storage'
import type { SolidEvent } from './solid-event.ts'

/** The event of the request that the caller works for. */
export function currentEvent(): SolidEvent {
  const event = findEvent()
  if (event) return event
  throw new Error(
    'There is no request here. Call this in a server function ("use server"), in an API route, or in middleware that ' +
      'is passed to auth.middlewareWith().',
  )
}

/** The same, if there is one. */
export function findEvent(): SolidEvent | undefined {
  // Not by `getRequestEvent`: where it finds none, it returns the event of whoever came last, be it somebody else.
  const { [RequestContext]: events } = globalThis as WithEvents
  const event = events?.getStore()
  return event?.nativeEvent && event
}

/** Where Solid stores the event of a request. It has no types for it. */
interface WithEvents {
  readonly [RequestContext]?: { getStore(): SolidEvent | undefined }
}

/** Runs something for a request. SolidStart does so for all but middleware. */
export function runFor<Result>(event: SolidEvent, run: () => Result): Result {
  return provideRequestEvent(event as never, run) // says so in types that are not installed here
}
