import { auth, signIn } from '../../auth'

/** Guards itself: the proxy lets everybody pass. */
export default async function Members() {
  const session = await auth()
  if (!session) return signIn(undefined, { redirectTo: '/members' })
  return <p>Members: {session.user?.name}</p>
}
