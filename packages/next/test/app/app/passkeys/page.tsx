import { auth } from '../../passkeys'

export default async function Page() {
  const session = await auth()
  return <p>{`${session?.user?.email ?? 'Nobody'} is signed in.`}</p>
}
