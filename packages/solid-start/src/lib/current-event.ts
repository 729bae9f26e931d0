import { getRequestEvent } from 'solid-js/web'
import { provideRequestEvent } from 'solid-js/web/storage'
import type { SolidEvent } from './solid-event.ts'

/** The event of the request that the caller works for. */
export function currentEvent(): SolidEvent {
  // SolidStart puts nothing else there, and says so in types that are not installed here.
  const event = getRequestEvent() as unknown as SolidEvent | undefined
  if (event?.nativeEvent) return event
  throw new Error(
    'There is no request here. Call this in a server function ("use server"), in an API route, or in middleware that ' +
      'is passed to auth.middleware().',
  )
}

/** Runs something for a request. SolidStart does so for all but middleware. */
export function runFor<Result>(event: SolidEvent, run: () => Result): Result {
  return provideRequestEvent(event as never, run) // the same types as above
}
