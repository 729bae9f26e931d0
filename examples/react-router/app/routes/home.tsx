import { Form, Link } from 'react-router'
import { auth } from '../auth.server'
import type { Route } from './+types/home'

export async function loader(args: Route.LoaderArgs) {
  const session = await auth.getSession(args)
  return { name: session?.user?.name }
}

export default function Home({ loaderData: { name } }: Route.ComponentProps) {
  return (
    <>
      <p>
        Hello, {name ?? 'stranger'}. <Link to="/account">Your account</Link>
      </p>
      <Form method="post" action={name ? '/logout' : '/login'}>
        <button type="submit">{name ? 'Sign out' : 'Sign in'}</button>
      </Form>
    </>
  )
}
