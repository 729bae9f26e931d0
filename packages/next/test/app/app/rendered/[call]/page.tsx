import { signIn, signOut } from '../../../auth'

/** Functions that a page calls while it is rendered. */
export default async function Rendered({ params }: { params: Promise<{ call: string }> }) {
  const { call } = await params
  return call === 'sign-in' ? signIn(undefined, { redirectTo: '/page' }) : signOut()
}
