import { requireSession } from '../../auth'

/** The proxy lets administrators pass. The page checks again, so that it is safe without the proxy. */
export default async function Admin() {
  await requireSession({ allow: ({ user }) => user.role === 'admin' })
  return <h1>Administration</h1>
}
