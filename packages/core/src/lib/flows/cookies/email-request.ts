import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import type { Incoming } from '../request/incoming.ts'
import { isBrief } from '../request/return-url.ts'
import { type SealedCookie, sealedCookie } from './sealed-cookie.ts'

/** The message that a browser has asked for, and its recipient. */
export interface EmailRequest {
  readonly identifier: string
  /** The id of the provider. */
  readonly provider: string
  readonly code: RequestedCode | null
  /** Whether the session is to outlast the browser, if the visitor has chosen. */
  readonly remember: boolean | undefined
  /** Where the visitor goes after signing in with a code. */
  readonly returnTo: string | undefined
}

/**
 * The code that a browser has asked for, as far as the browser keeps it. The guesses that are left are in the store
 * alone: one row states how many there are.
 */
export interface RequestedCode {
  readonly id: string
  /** The digest of the code. */
  readonly hash: string
  /** The row of the link in the same message: using one of the two uses up both. */
  readonly link: string
  /** When it was sent, and until when it works. */
  readonly sent: number
  readonly until: number
  /** How many guesses were left when the browser last received the cookie. */
  readonly left: number
  /** When it was issued, by the clock of the store. Undefined if that was not known. */
  readonly startedAt: number | undefined
}

/** The cookie that distinguishes a browser that requested a message from all others. */
export const emailRequestCookie: SealedCookie<EmailRequest> = sealedCookie({
  option: 'emailRequest',
  isBoundToBrowser: true,
  parse({ identifier, provider, code, remember, returnTo }) {
    if (typeof identifier !== 'string' || typeof provider !== 'string') return null
    return {
      identifier,
      provider,
      code: parseCode(code),
      remember: typeof remember === 'boolean' ? remember : undefined,
      returnTo: typeof returnTo === 'string' ? returnTo : undefined,
    }
  },
})

/** Returns the cookies that tell a browser that asked for a message from all others. */
export function writeEmailRequest(
  config: ResolvedConfig,
  request: Incoming,
  { returnTo, ...pending }: EmailRequest,
  maxAge: number,
): Promise<readonly SetCookie[]> {
  // Only a code is entered in this browser; a link brings its return URL.
  const isStored = pending.code !== null && isBrief(returnTo ?? '')
  const value = { ...pending, returnTo: isStored ? returnTo : undefined }
  return emailRequestCookie.write(config, request, value, maxAge)
}

function parseCode(code: unknown): RequestedCode | null {
  const { id, hash, link, sent, until, left, startedAt } = Object(code) as Readonly<
    Record<string, unknown>
  >
  const isCode = [id, hash, link].every(each => typeof each === 'string')
  const isCounted = [sent, until, left].every(each => typeof each === 'number')
  if (!isCode || !isCounted) return null
  const pending = { id, hash, link, sent, until, left } as Omit<RequestedCode, 'startedAt'> // checked above
  return { ...pending, startedAt: typeof startedAt === 'number' ? startedAt : undefined }
}
