import { auth } from '../auth.server'
import type { Route } from './+types/me'

export async function loader(args: Route.LoaderArgs) {
  const { user } = await auth.demandSession(args)
  return Response.json(user)
}
