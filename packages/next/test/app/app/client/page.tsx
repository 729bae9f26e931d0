import { SessionProvider } from '@siteauth/next/react'
import { auth, signIn, signOut } from '../../auth'
import { Shown } from './shown'

/** What the client knows of a session, beside actions that change it on the server. */
export default async function Client() {
  const session = await auth()
  return (
    <SessionProvider session={session as null}>
      <Shown />
      <form
        action={async () => {
          'use server'
          await signIn('credentials', { name: 'Ann', password: 'sesame', redirectTo: '/client' })
        }}
      >
        <button type="submit" id="enter">
          Sign in
        </button>
      </form>
      <form
        action={async () => {
          'use server'
          await signOut({ redirectTo: '/client' })
        }}
      >
        <button type="submit" id="leave">
          Sign out
        </button>
      </form>
    </SessionProvider>
  )
}
