import { PasswordRefused } from '@siteauth/next'
import { redirect } from 'next/navigation'
import { auth, listProviders, passwords } from '../../passwords'
import { Who } from '../who'

/** Forms of the application's own about a password. */
export default async function Passwords() {
  const ways = await listProviders()
  return (
    <>
      <Who session={await auth()} />
      <p id="ways">
        {ways.map(({ id, lastUsed }) => (lastUsed ? `${id}, last used` : id)).join('; ')}
      </p>
      <form
        action={async form => {
          'use server'
          await passwords.sendLink(form)
        }}
      >
        <button type="submit">Ask for a link</button>
      </form>
      <form
        action={async form => {
          'use server'
          await passwords.choose(form)
        }}
      >
        <button type="submit">Choose</button>
      </form>
      <form
        action={async form => {
          'use server'
          try {
            await passwords.change(form)
          } catch (error) {
            if (!(error instanceof PasswordRefused)) throw error
            redirect(`/passwords?refused=${error.code}`)
          }
        }}
      >
        <button type="submit">Change</button>
      </form>
    </>
  )
}
