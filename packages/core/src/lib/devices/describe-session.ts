import type { Awaitable } from '../base/awaitable.ts'
import { EventError } from '../base/errors.ts'
import type { LoggerInstance } from '../base/logger.ts'
import type { SessionDetails } from '../base/session.ts'
import type { SentHeaders } from '../http/request.ts'
import { webHeaders } from '../http/request.ts'
import { MAX_USER_AGENT_LENGTH } from './name-device.ts'

/** The application's word for a session. See `session.describe`. */
export type DescribeSession = (request: {
  url: string
  headers: Headers
}) => Awaitable<string | null | undefined>

/** How many letters of a label are kept. */
const MAX_LABEL_LENGTH = 100

/** The details of a session that begins with this request. */
export async function describeSession(
  request: { readonly url: URL; readonly headers: SentHeaders },
  provider: string,
  describe: DescribeSession | undefined,
  logger: LoggerInstance,
): Promise<SessionDetails> {
  const userAgent = plain(request.headers.get('user-agent'), MAX_USER_AGENT_LENGTH)
  const label = describe && (await labelBy(describe, request, logger))
  return { provider, ...(userAgent && { userAgent }), ...(label && { label }) }
}

/** A user can sign in even if the place is unknown. */
async function labelBy(
  describe: DescribeSession,
  { url, headers }: { readonly url: URL; readonly headers: SentHeaders },
  logger: LoggerInstance,
): Promise<string | undefined> {
  try {
    return plain(await describe({ url: url.href, headers: webHeaders(headers) }), MAX_LABEL_LENGTH)
  } catch (cause) {
    logger.error(new EventError('session.describe failed. The session has no label.', { cause }))
    return undefined
  }
}

/** One line that every store takes: no control characters, no half of a letter, and not too long. */
function plain(text: unknown, maxLength: number): string | undefined {
  if (typeof text !== 'string') return undefined
  const line = text.slice(0, maxLength * 2).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
  return [...line].slice(0, maxLength).join('').trim() || undefined
}
