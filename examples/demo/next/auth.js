import SiteAuth from '@siteauth/next'
import { cookies } from 'next/headers'
import { configure } from '../auth.js'

const configs = configure('Next.js')

/** Where the switch on the page wants sessions to be. */
export async function currentMode() {
  return (await cookies()).get('demo.sessions')?.value === 'cookie' ? 'cookie' : 'sqlite'
}

export const { handlers, auth, signOut, sessions } = SiteAuth(
  async () => configs[await currentMode()],
)
