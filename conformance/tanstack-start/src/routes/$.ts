import { createFileRoute } from '@tanstack/react-router'
import { probe } from '../auth'

/** Every path that has no other route: behind the guard in front, or as if there were no such route. */
export const Route = createFileRoute('/$')({
  server: {
    handlers: {
      ANY: () =>
        probe.isInFront ? new Response(probe.ran()) : new Response('Not found', { status: 404 }),
    },
  },
})
