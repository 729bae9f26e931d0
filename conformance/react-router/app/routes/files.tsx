import { auth, probe } from '../auth.server'
import type { Route } from './+types/files'

export async function loader(args: Route.LoaderArgs) {
  if (!probe.isInFront) await auth.requireSession(args)
  return { text: probe.ran() }
}

export async function action(args: Route.ActionArgs) {
  if (!probe.isInFront) await auth.requireSession(args)
  return { text: probe.ran() }
}

export default function Files({ loaderData: { text } }: Route.ComponentProps) {
  return <p>{text}</p>
}
