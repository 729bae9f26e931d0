import { requireSession } from '../../auth'
import { Who } from '../who'

/** For people who are signed in, but not for Rota. */
export default async function Required() {
  const session = await requireSession({ allow: async ({ user }) => user.name !== 'Rota' })
  return (
    <>
      <Who session={session} />
      <form
        action={async () => {
          'use server'
          const { user } = await requireSession({ redirectTo: '/login?callbackUrl=/required' })
          console.log(`This was done by ${user.name}.`)
        }}
      >
        <button type="submit">Do something</button>
      </form>
    </>
  )
}
