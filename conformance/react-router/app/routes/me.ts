import { auth } from '../auth.server'
import type { Route } from './+types/me'

export async function loader(args: Route.LoaderArgs) {
  return Response.json(await auth.getSession(args))
}
