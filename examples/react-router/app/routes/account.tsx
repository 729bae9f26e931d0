import { auth } from '../auth.server'
import type { Route } from './+types/account'

export async function loader(args: Route.LoaderArgs) {
  const { user } = await auth.requireSession(args)
  return { name: user?.name }
}

export default function Account({ loaderData: { name } }: Route.ComponentProps) {
  return <p>The account of {name}</p>
}
