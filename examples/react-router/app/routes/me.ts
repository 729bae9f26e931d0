import { auth } from '../auth.server'
import type { Route } from './+types/me'

export async function loader(args: Route.LoaderArgs) {
  const { user } = await auth.requireSession(args)
  return Response.json(user)
}
