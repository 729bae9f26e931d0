import { Link } from 'react-router'
import { auth } from '../auth.server'
import type { Route } from './+types/private'

export const middleware: Route.MiddlewareFunction[] = [auth.requireSession({ except: [] })]

export async function loader(args: Route.LoaderArgs) {
  return { name: (await auth.requireSession(args)).user?.name }
}

export default function Private({ loaderData: { name } }: Route.ComponentProps) {
  return (
    <main>
      <p>Private: {name}</p>
      <Link to="/">Home</Link>
    </main>
  )
}
