import { createFileRoute } from '@tanstack/react-router'
import { signedIn } from '../auth'

// Guarded by its middleware alone: before 1.169.1, TanStack Start did not run it for a path that URLs encode.
export const Route = createFileRoute('/über')({
  server: { middleware: [signedIn] },
  loader: () => 'Behind the guard of a route.',
  component: Encoded,
})

function Encoded() {
  return <p>{Route.useLoaderData()}</p>
}
