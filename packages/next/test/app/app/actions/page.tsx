import { auth, signIn, signOut, unstable_update } from '../../auth'
import { Who } from '../who'
import { Attempt } from './attempt'

/** Every function that actions use. */
export default async function Actions() {
  return (
    <>
      <Who session={await auth()} />
      <Attempt
        attempt={async (_before, form) => {
          'use server'
          return signIn.attempt('credentials', form)
        }}
      />
      <form
        action={async () => {
          'use server'
          await signIn('company', { redirectTo: '/page' })
        }}
      >
        <button type="submit" id="company">
          Sign in at the company
        </button>
      </form>
      <form
        action={async () => {
          'use server'
          await signOut({ redirectTo: '/actions?left' })
        }}
      >
        <button type="submit" id="leave">
          Sign out
        </button>
      </form>
      <form
        action={async () => {
          'use server'
          await unstable_update({ nick: 'Countess' } as object)
        }}
      >
        <button type="submit" id="rename">
          Be called Countess
        </button>
      </form>
    </>
  )
}
