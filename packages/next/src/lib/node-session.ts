import { keepPrivate, serializeCookie } from '@siteauth/core/cookies'
import type { CheckedSession, SessionConfig, SetCookie } from '@siteauth/core/integration'
import type { NextApiRequest, NextApiResponse } from 'next'
import type { NextRequest } from 'next/server.js'
import { BEHIND } from './is-route.ts'
import { rememberedFor } from './remembered-for.ts'
import type { SessionReader } from './session-reader.ts'
import type { Settings } from './settings.ts'

/** The session of a request of the Pages Router. Renewed where there is a response to say so. */
export async function nodeSession(
  settings: Settings,
  reader: SessionReader,
  req: NextApiRequest,
  res: NextApiResponse | undefined,
): Promise<CheckedSession['session']> {
  // A function that makes configurations has always been shown Node's request here.
  const loader = await settings.of(req, req as unknown as NextRequest)
  const config = await loader.sessions()
  const header = (name: string) => req.headers[name]?.toString()
  const open = res && !res.headersSent ? res : undefined
  const encrypted = (req.socket as { encrypted?: boolean } | undefined)?.encrypted
  const { session } = await reader.read(config, {
    key: rememberedFor(req, config.now()),
    sent: { header, protocol: encrypted ? 'https:' : 'http:', host: header('host') ?? '' },
    cookies: () => req.headers.cookie,
    renew: open !== undefined,
    context: BEHIND,
    ...(open && { store: cookies => addCookies(open, cookies) }),
  })
  if (open && carriesSession(open, config)) keepPrivate(open)
  return session
}

/** Whether a session cookie goes out with an answer: a new one of this read, or of the proxy before. */
function carriesSession(res: NextApiResponse, { https, http }: SessionConfig): boolean {
  const lines = String(res.getHeader('set-cookie') ?? '')
  return [https, http].some(scheme => lines.includes(scheme.cookieOptions.sessionToken.name))
}

function addCookies(res: NextApiResponse, cookies: readonly SetCookie[]): void {
  const before = res.getHeader('set-cookie') ?? []
  const lines = Array.isArray(before) ? before : [String(before)]
  res.setHeader('set-cookie', [...lines, ...cookies.map(serializeCookie)])
}
