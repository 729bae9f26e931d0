import type { AuthEvent, EventCallbacks } from '../../base/callbacks.ts'

/** Calls the listeners of events, one after the other. Only listeners that may stop an operation throw. */
export async function reportEvents(
  listeners: Partial<EventCallbacks>,
  events: readonly AuthEvent[],
): Promise<void> {
  for (const { type, message } of events) {
    const listener = listeners[type] as ((message: AuthEvent['message']) => unknown) | undefined // of this type
    await listener?.(message)
  }
}
