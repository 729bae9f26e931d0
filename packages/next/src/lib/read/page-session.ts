import {
  type CheckedSession,
  preventCaching,
  type SessionConfig,
  type SetCookie,
  serializeCookie,
  siteAddressOf,
} from '@siteauth/core/internal'
import type { NextApiRequest, NextApiResponse } from 'next'
import type { NextRequest } from 'next/server.js'
import type { Settings } from '../config/settings.ts'
import { cookieHeader, currentAddress, currentRequest } from '../current-request.ts'
import { RECEIPT_HEADER } from '../proxy-headers.ts'
import type { RequestAddress } from '../request-url.ts'
import { receiptCheck } from './callback-receipt.ts'
import type { CallbackCheck, SessionReader } from './session-reader.ts'

type Session = CheckedSession['session']

/** What `auth` is given in a page: nothing in the App Router, and in the Pages Router what that hands out. */
export type PageArguments =
  | readonly []
  | readonly [req: NextApiRequest, res?: NextApiResponse]
  | readonly [context: NodePair]

interface NodePair {
  readonly req: NextApiRequest
  readonly res?: NextApiResponse
}

/** Reads who is signed in, for a page or for a route: whatever is behind the proxy. */
export async function pageSession(
  settings: Settings,
  reader: SessionReader,
  [first, second]: PageArguments,
): Promise<Session> {
  if (first === undefined) return currentSession(settings, reader)
  return nodeSession(settings, reader, 'req' in first ? first : pairOf(first, second))
}

function pairOf(req: NextApiRequest, res: NextApiResponse | undefined): NodePair {
  return { req, ...(res && { res }) }
}

/**
 * The session of the current request. Only read, never renewed: a page cannot set cookies while it
 * is being rendered, and in a route handler nothing here could keep the response out of caches.
 */
async function currentSession(settings: Settings, reader: SessionReader): Promise<Session> {
  const current = await currentRequest()
  const loader = await settings.of(current.headers)
  const config = await loader.sessions()
  const address = currentAddress(current, siteAddressOf(loader.sources))
  const { session } = await reader.read(config, {
    key: keyOf(current.headers, config.now()),
    address,
    cookies: name => cookieHeader(current, each => each.startsWith(name)),
    renew: false,
    hasRunCallback: checkOf(config, address),
  })
  return session
}

/** The session of a request of the Pages Router. Renewed where there is a response to say so. */
async function nodeSession(
  settings: Settings,
  reader: SessionReader,
  { req, res }: NodePair,
): Promise<Session> {
  // A function that makes configurations has always been shown Node's request here.
  const config = await (await settings.of(req, req as unknown as NextRequest)).sessions()
  const header = (name: string) => req.headers[name]?.toString()
  const encrypted = (req.socket as { encrypted?: boolean } | undefined)?.encrypted
  const address = { header, protocol: encrypted ? 'https:' : 'http:', host: header('host') ?? '' }
  const open = res && !res.headersSent ? res : undefined
  const { session } = await reader.read(config, {
    key: keyOf(req, config.now()),
    address,
    cookies: () => req.headers.cookie,
    renew: open !== undefined,
    hasRunCallback: checkOf(config, address),
    ...(open && { store: cookies => addCookies(open, cookies) }),
  })
  if (open && carriesSession(open, config)) preventCaching(open)
  return session
}

function checkOf(config: SessionConfig, { header }: RequestAddress): CallbackCheck | undefined {
  const receipt = header(RECEIPT_HEADER)
  return receipt ? receiptCheck(config, receipt) : undefined
}

/** Whether a session cookie goes out with an answer: a new one of this read, or of the proxy before. */
function carriesSession(res: NextApiResponse, { https, http }: SessionConfig): boolean {
  const lines = String(res.getHeader('set-cookie') ?? '')
  return [https, http].some(scheme => lines.includes(scheme.cookieOptions.sessionToken.name))
}

function addCookies(res: NextApiResponse, cookies: readonly SetCookie[]): void {
  if (cookies.length === 0) return
  const before = res.getHeader('set-cookie') ?? []
  const lines = Array.isArray(before) ? before : [String(before)]
  res.setHeader('set-cookie', [...lines, ...cookies.map(serializeCookie)])
}

/** For how long a read is remembered, in milliseconds: as long as rendering a page may take. */
const REMEMBERED_FOR = 60_000

interface TimedKey {
  readonly since: number
  readonly key: object
}

const keys = new WeakMap<object, TimedKey>()

/**
 * What a read is remembered by: the request itself, and after a while something new. A request may stay
 * open for hours, as a stream does, and its session end meanwhile.
 */
function keyOf(request: object, now: number): object {
  const existing = keys.get(request)
  if (existing && now - existing.since < REMEMBERED_FOR) return existing.key
  const key = existing ? {} : request
  keys.set(request, { since: now, key })
  return key
}
