import { auth, probe } from '../auth.server'
import type { Route } from './+types/item'

export async function loader(args: Route.LoaderArgs) {
  if (!probe.isInFront) await auth.requireSession(args)
  return new Response(probe.ran())
}

export async function action(args: Route.ActionArgs) {
  if (!probe.isInFront) await auth.requireSession(args)
  return new Response(probe.ran())
}
