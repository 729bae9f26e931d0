import { equalInConstantTime, primitives } from '#crypto'
import { toBase64Url } from '../crypto/encoding.ts'
import { PURPOSES } from '../crypto/purposes.ts'
import { parseCookies } from '../http/cookie-text.ts'
import { clearCookie, type SetCookie, setCookie } from '../http/cookies.ts'
import type { IssuedSession } from '../session/store.ts'
import type { CredentialsState } from './credentials-state.ts'

// A sibling host can plant a session cookie, and so make a browser use the session of an attacker. It cannot plant a cookie
// with a `__Host-` name. So a browser that is given a session is given a second cookie: a MAC of the session.

/** Browsers keep no cookie for longer. The session ends by itself. */
const MAX_AGE = 400 * 24 * 60 * 60
/** 128 bits, which cannot be guessed. */
const MAC_BYTES = 16

type BindingState = Pick<CredentialsState, 'sessions' | 'header' | 'binding'>

/** The cookie that binds a session to the browser that receives it; none if this site needs none. */
export async function bindingCookies(
  { sessions, binding }: BindingState,
  { token, isTemporary = false }: Pick<IssuedSession, 'token' | 'isTemporary'>,
): Promise<readonly SetCookie[]> {
  const input = binding && (await readMacInput(sessions, token))
  if (!binding || input === null) return []
  const [newest = ''] = binding.secrets
  const mac = await createMac(newest, input)
  return [setCookie(binding.cookie, mac, isTemporary ? {} : { maxAge: MAX_AGE })]
}

/** Whether the browser that sent a request was given this session by us. Also if this site does not ask for it. */
export async function isBoundSession(
  { sessions, header, binding }: BindingState,
  token: string,
): Promise<boolean> {
  if (!binding) return true
  const received = parseCookies(header)[binding.cookie.name]
  const input = received ? await readMacInput(sessions, token) : null
  if (!received || input === null) return false
  for (const secret of binding.secrets) {
    if (equalInConstantTime(await createMac(secret, input), received)) return true
  }
  return false
}

/** Removes the cookie, if the request has one. */
export function clearBinding({ header, binding }: BindingState): readonly SetCookie[] {
  const isThere = binding !== null && parseCookies(header)[binding.cookie.name] !== undefined
  return isThere ? [clearCookie(binding.cookie)] : []
}

/** The id of a session as long as it lasts; without one, that of its user. */
async function readMacInput(
  sessions: BindingState['sessions'],
  token: string,
): Promise<string | null> {
  const sessionId = await sessions.sessionIdOf(token)
  if (sessionId !== null) return `session ${sessionId}`
  const userId = await sessions.userIdOf(token)
  return userId === null ? null : `user ${userId}`
}

async function createMac(secret: string, input: string): Promise<string> {
  const hash = toBase64Url(await primitives.digest('SHA-256', input))
  return toBase64Url(await primitives.deriveBits(secret, PURPOSES.sessionBinding, hash, MAC_BYTES))
}
