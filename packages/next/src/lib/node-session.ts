import { serializeCookie } from '@siteauth/core/cookies'
import { type CheckedSession, type SetCookie, sessionsOf } from '@siteauth/core/integration'
import type { NextApiRequest, NextApiResponse } from 'next'
import type { NextRequest } from 'next/server.js'
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
  const config = await sessionsOf(await settings.of(req, req as unknown as NextRequest))
  const header = (name: string) => req.headers[name]?.toString()
  const open = res && !res.headersSent ? res : undefined
  const encrypted = (req.socket as { encrypted?: boolean } | undefined)?.encrypted
  const { session } = await reader.read(config, {
    key: req,
    sent: { header, protocol: encrypted ? 'https:' : 'http:', host: header('host') ?? '' },
    cookies: () => req.headers.cookie,
    renew: open !== undefined,
    ...(open && { store: cookies => addCookies(open, cookies) }),
  })
  return session
}

function addCookies(res: NextApiResponse, cookies: readonly SetCookie[]): void {
  const before = res.getHeader('set-cookie') ?? []
  const lines = Array.isArray(before) ? before : [String(before)]
  res.setHeader('set-cookie', [...lines, ...cookies.map(serializeCookie)])
}
