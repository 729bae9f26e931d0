import { auth } from '../../../old.js'

export default async function Page() {
  const session = await auth()
  return <p>Hello, {session.user.name}</p>
}
