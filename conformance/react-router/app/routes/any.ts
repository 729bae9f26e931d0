import { probe } from '../auth.server'

/** Every path that has no other route: behind the guard in front, or as if there were no such route. */
export function loader() {
  return probe.isInFront ? new Response(probe.ran()) : new Response('Not found', { status: 404 })
}

export const action = loader
