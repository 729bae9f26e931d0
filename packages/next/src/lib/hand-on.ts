import { changedCookies, serializeCookie } from '@siteauth/core/cookies'
import type { CheckedSession, ReadingScheme, SessionConfig } from '@siteauth/core/integration'
import { ASKED_HEADER } from './asked.ts'
import { sealAsked } from './handover.ts'
import { withCookies, withoutAsked } from './with-cookies.ts'

/** What tells the browser, and what lies behind a proxy, of the new cookies of a request and of its read. */
export async function handOn(
  config: SessionConfig,
  scheme: ReadingScheme,
  request: Request,
  { session, cookies }: CheckedSession,
): Promise<(response: Response) => Response> {
  const arrived = request.headers.get('cookie')
  const isChanged = cookies.length > 0
  const cookie = isChanged ? changedCookies(arrived, cookies) : arrived
  const asked = session ? await sealAsked(config, scheme, cookie) : undefined
  const lines = cookies.map(serializeCookie)
  const replaced = {
    ...(isChanged && { cookie: cookie ?? '' }),
    ...(asked !== undefined && { [ASKED_HEADER]: asked }),
  }
  return response =>
    isChanged || asked !== undefined
      ? withCookies(response, lines, request, replaced)
      : withoutAsked(response, request)
}
