import { Form, Link } from 'react-router'
import { auth } from '../auth.server'
import type { Route } from './+types/home'

export async function loader(args: Route.LoaderArgs) {
  return { name: (await auth.getSession(args))?.user?.name ?? 'stranger' }
}

export default function Home({ loaderData: { name } }: Route.ComponentProps) {
  return (
    <main>
      <p>Hello, {name}</p>
      <Link to="/private">Private</Link> <Link to="/admin">Admin</Link>{' '}
      <Link to="/auth/signin">Sign in</Link>
      <Form method="post" action="/logout">
        <button type="submit">Sign out</button>
      </Form>
    </main>
  )
}
