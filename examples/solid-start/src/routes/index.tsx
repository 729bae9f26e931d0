import { createAsync } from '@solidjs/router'
import { visitor } from '../functions'

export default function Home() {
  const who = createAsync(() => visitor(), { deferStream: true })
  return (
    <>
      <p>
        {`Hello, ${who()?.name ?? 'stranger'}. `}
        {/* Asked for as a whole page, so that strangers come back to it once they have signed in. */}
        <a href="/account" rel="external">
          Your account
        </a>
      </p>
      <form method="post" action={who()?.name ? '/logout' : '/login'}>
        <button type="submit">{who()?.name ? 'Sign out' : 'Sign in'}</button>
      </form>
    </>
  )
}
