import Link from 'next/link'
import { auth } from '../auth'

export default async function Home() {
  return (
    <main>
      <p>Hello, {(await auth())?.user?.name ?? 'stranger'}</p>
      <Link href="/private">Private</Link> <Link href="/members">Members</Link>{' '}
      <Link href="/account">Account</Link>
    </main>
  )
}
