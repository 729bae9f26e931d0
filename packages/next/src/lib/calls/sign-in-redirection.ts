import { runCall } from '@siteauth/core/internal/endpoints'
import type { Settings } from '../config/settings.ts'
import { redirection } from '../current-request.ts'
import { currentCall } from './current-call.ts'

/**
 * Makes what is thrown to send an anonymous visitor to sign in, and back afterwards: as `signIn()` without a provider does.
 *
 * @param page the sign-in page, if it is not the configured one. It may say itself where visitors return to.
 */
export async function signInRedirection(
  settings: Settings,
  page: string | undefined,
): Promise<Error> {
  const { current, config, ...call } = await currentCall(settings, 'signIn')
  const pages = page === undefined ? config.pages : { ...config.pages, signIn: page }
  const redirectTo = callbackUrlIn(pages.signIn)
  const context = { ...call, config: { ...config, pages } }
  const url = new URL(String(await runCall('signIn', context, [undefined, { redirectTo }])))
  // A link on the sign-in page led here. Nobody wants to see that page again after signing in.
  if (redirectTo === undefined && isOwnCallback(url)) url.searchParams.delete('callbackUrl')
  return redirection(current, url.href)
}

/** The base for paths. The name is reserved, so no site has it. */
const HERE = 'https://here.invalid'

function callbackUrlIn(page: string | undefined): string | undefined {
  return new URL(page ?? '', HERE).searchParams.get('callbackUrl') ?? undefined
}

function isOwnCallback({ origin, pathname, searchParams }: URL): boolean {
  const callbackUrl = new URL(searchParams.get('callbackUrl') ?? '', HERE)
  return callbackUrl.origin === origin && callbackUrl.pathname === pathname
}
