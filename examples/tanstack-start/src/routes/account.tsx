import { createFileRoute, redirect } from '@tanstack/react-router'
import { readName } from '../functions'

export const Route = createFileRoute('/account')({
  // Guards the page. What a server function returns, it guards itself: auth.requireSession(getRequest()).
  beforeLoad: async ({ location }) => {
    const name = await readName()
    if (name !== null) return { name }
    const callbackUrl = encodeURIComponent(location.href)
    throw redirect({ href: `/auth/signin?callbackUrl=${callbackUrl}`, reloadDocument: true })
  },
  component: Account,
})

function Account() {
  const { name } = Route.useRouteContext()
  return <p>The account of {name}</p>
}
