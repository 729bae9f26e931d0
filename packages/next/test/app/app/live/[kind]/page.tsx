import { auth, signIn, signOut, unstable_update } from '../../../auth'
import { Who } from '../../who'

const ann = { name: 'Ann', password: 'sesame' }

/** What the server rendered, and every way in which it can change that. */
export default async function Page({ params }: { params: Promise<{ kind: string }> }) {
  const here = `/live/${(await params).kind}`
  const actions: Record<string, () => Promise<void>> = {
    'Action: sign in': async () => {
      'use server'
      await signIn('credentials', { ...ann, redirect: false })
    },
    'Action: sign in and go': async () => {
      'use server'
      await signIn('credentials', { ...ann, redirectTo: `${here}?there` })
    },
    'Action: sign out': async () => {
      'use server'
      await signOut({ redirect: false })
    },
    'Action: sign out and go': async () => {
      'use server'
      await signOut({ redirectTo: `${here}?gone` })
    },
    'Action: update': async () => {
      'use server'
      await unstable_update({ nick: 'Countess' } as object)
    },
    'Action: nothing': async () => {
      'use server'
    },
  }
  return (
    <>
      <Who session={await auth()} />
      {Object.entries(actions).map(([name, action]) => (
        <form key={name} action={action}>
          <button type="submit">{name}</button>
        </form>
      ))}
    </>
  )
}
