import { auth } from '../../auth'

/** The proxy lets administrators pass; the page asks again, so that it is safe without it. */
export default async function Admin() {
  const session = await auth()
  if (session?.user.role !== 'admin') return <p>This page is for administrators.</p>
  return <h1>Administration</h1>
}
