import { createFileRoute, Link } from '@tanstack/react-router'
import { readName } from '../functions'

export const Route = createFileRoute('/')({
  loader: async () => ({ name: await readName() }),
  component: Home,
})

function Home() {
  const { name } = Route.useLoaderData()
  return (
    <>
      <p>
        Hello, {name ?? 'stranger'}. <Link to="/account">Your account</Link>
      </p>
      <form method="post" action={name ? '/logout' : '/login'}>
        <button type="submit">{name ? 'Sign out' : 'Sign in'}</button>
      </form>
    </>
  )
}
