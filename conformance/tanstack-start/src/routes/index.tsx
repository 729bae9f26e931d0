import { createFileRoute, Link } from '@tanstack/react-router'
import { useServerFn } from '@tanstack/react-start'
import { leave, readName, readSecret } from '../functions'

export const Route = createFileRoute('/')({
  loader: async () => ({ name: (await readName()) ?? 'stranger' }),
  component: Home,
})

function Home() {
  const { name } = Route.useLoaderData()
  const signOut = useServerFn(leave)
  const askForSecret = useServerFn(readSecret)
  return (
    <main>
      <p>Hello, {name}</p>
      <Link to="/private">Private</Link>
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
      <button
        type="button"
        onClick={() => askForSecret().then(secret => document.body.append(secret))}
      >
        Secret
      </button>
    </main>
  )
}
