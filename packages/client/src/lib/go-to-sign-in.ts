import { endpointsOfPage } from './endpoints.ts'
import { goTo } from './submit.ts'

/** Leaves for the sign-in page, and comes back here afterwards: for pages that only people who are signed in may see. */
export function goToSignIn(): void {
  const callbackUrl = location.href
  goTo(
    `${endpointsOfPage()}/signin?${new URLSearchParams({ callbackUrl, error: 'SessionRequired' })}`,
  )
}
