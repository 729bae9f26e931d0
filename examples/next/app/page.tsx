import Link from 'next/link'
import { auth, signOut } from '../auth'

export default async function Home() {
  const session = await auth()
  if (!session) {
    return (
      <p>
        Hello, stranger. <Link href="/login">Sign in</Link>
      </p>
    )
  }
  return (
    <>
      <h1>Hello, {session.user.name}</h1>
      {session.user.role === 'admin' && <Link href="/admin">To the administration</Link>}
      <form
        action={async () => {
          'use server'
          await signOut({ redirectTo: '/' })
        }}
      >
        <button type="submit">Sign out</button>
      </form>
    </>
  )
}
