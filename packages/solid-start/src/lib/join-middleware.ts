import { runFor } from './current-event.ts'
import type { StartFrameworkAdapter } from './framework-adapter.ts'
import type { MadeMiddleware, OwnMiddleware, SolidEvent } from './solid-event.ts'

/** Runs the middleware of the application after our own, which may have a response already. */
export function joinMiddleware<Event extends SolidEvent>(
  framework: StartFrameworkAdapter,
  respond: (event: Event) => Promise<Response | undefined>,
  own: OwnMiddleware<Event>,
): MadeMiddleware<Event> {
  return {
    async onRequest(event) {
      framework.expect(event)
      const answered = await respond(event)
      if (answered) return answered
      for (const hook of [own.onRequest ?? []].flat()) {
        const response = await runFor(event, () => orThrown(() => hook(event)))
        if (response) return (await framework.finish(event, response)) as Response // since it was given one
      }
      return undefined
    },
    async onBeforeResponse(event, answered) {
      for (const hook of [own.onBeforeResponse ?? []].flat()) {
        const response = await runFor(event, () => hook(event, answered))
        if (response) answered.body = response
      }
      answered.body = await framework.finish(event, answered.body)
    },
  }
}

/** The response of a middleware, if there is one. A redirect may also be thrown, as in server functions. */
async function orThrown<Result>(run: () => Result): Promise<Awaited<Result> | Response> {
  try {
    return await run()
  } catch (thrown) {
    if (thrown instanceof Response) return thrown
    throw thrown
  }
}
