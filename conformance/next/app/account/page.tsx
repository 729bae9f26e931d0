import Link from 'next/link'
import { auth } from '../../auth'
import { enter, leave, rename } from './actions'
import { Secret } from './secret'

/** Every call by a server action. */
export default async function Account() {
  const session = await auth()
  return (
    <main>
      <p>Account of {session?.user?.name ?? 'stranger'}</p>
      <Link href="/private">Private</Link> <Link href="/members">Members</Link>
      <form action={enter}>
        <input name="name" aria-label="Name" />
        <input name="password" type="password" aria-label="Password" />
        <button type="submit">Sign in</button>
      </form>
      <form action={rename}>
        <input name="name" aria-label="New name" />
        <button type="submit">Rename</button>
      </form>
      <form action={leave}>
        <button type="submit">Sign out</button>
      </form>
      <Secret />
    </main>
  )
}
