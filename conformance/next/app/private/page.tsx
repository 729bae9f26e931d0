import { auth } from '../../auth'

/** The proxy lets only those in who are signed in. */
export default async function Private() {
  return <p>Private: {(await auth())?.user?.name}</p>
}
