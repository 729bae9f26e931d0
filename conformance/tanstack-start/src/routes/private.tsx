import { createFileRoute, redirect } from '@tanstack/react-router'
import { auth, signedIn } from '../auth'
import { readName } from '../functions'

export const Route = createFileRoute('/private')({
  server: {
    middleware: [signedIn],
    handlers: {
      // TanStack Start answers 406 to programs that ask for a page.
      GET: async ({ request, next }) =>
        request.headers.get('accept') === 'application/json'
          ? Response.json((await auth.requireSession(request)).user)
          : next(),
    },
  },
  // The middleware sees requests for the page; links are followed by the script, which asks here.
  beforeLoad: async ({ location }) => {
    const name = await readName()
    const callbackUrl = encodeURIComponent(location.href)
    if (name === null) {
      throw redirect({ href: `/auth/signin?callbackUrl=${callbackUrl}`, reloadDocument: true })
    }
    return { name }
  },
  component: Private,
})

function Private() {
  return <p>Private: {Route.useRouteContext().name}</p>
}
