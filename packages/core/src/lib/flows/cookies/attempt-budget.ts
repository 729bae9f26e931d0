import type { Awaitable } from '../../base/awaitable.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { changedCookies } from '../../http/cookie-text.ts'
import { type CookieOption, clearCookie, type SetCookie } from '../../http/cookies.ts'
import type { Incoming } from '../request/incoming.ts'
import { beginningOf, sentAttempts } from './attempt-slots.ts'

/**
 * How many bytes all cookies of sign-ins in progress may take in a request. Servers accept 8 KiB of headers at least, and the
 * session takes its part: a browser that sends more is refused until its cookies expire.
 */
const BUDGET = 4608

/** What the headers of a response have room for. The next response removes more. */
const MAX_REMOVED = 20
const ID_LENGTH = 12

/** A cookie of a request that follows. */
interface Pair {
  readonly name: string
  readonly bytes: number
}

/** An attempt that was there before. */
interface Outstanding extends Pair {
  /** The row of the table that its cookie is of. */
  readonly kind: CookieOption
  /** In milliseconds; 0 if it was not sealed by this application, or has expired. */
  readonly createdAt: number
}

/**
 * Returns the cookies of a response, and the removal of as many attempts as do not fit into the budget beside them, the oldest
 * first. What the response sets stays.
 */
export function limitAttempts(
  config: ResolvedConfig,
  request: Incoming,
  cookies: readonly SetCookie[],
): Awaitable<readonly SetCookie[]> {
  const adds = ({ name, options }: SetCookie) => options.maxAge !== 0 && isCounted(request, name)
  if (!cookies.some(adds)) return cookies
  const pairs = pairsOf(changedCookies(request.headers.get('cookie'), cookies))
  const counted = pairs.filter(({ name }) => isCounted(request, name))
  const excess = counted.reduce((sum, { bytes }) => sum + bytes, -BUDGET)
  if (excess <= 0) return cookies
  const retained = new Set(cookies.flatMap(({ name }) => [name, attemptOfResponse(request, name)]))
  const earlier = counted.filter(({ name }) => !retained.has(name) && kindOf(request, name))
  return removeOldest(config, request, earlier, excess).then(removed => [...removed, ...cookies])
}

async function removeOldest(
  config: ResolvedConfig,
  request: Incoming,
  attempts: readonly Pair[],
  excess: number,
): Promise<readonly SetCookie[]> {
  const removed: SetCookie[] = []
  let left = excess
  for (const { kind, name, bytes } of await oldestFirst(config, request, attempts)) {
    if (left <= 0 || removed.length === MAX_REMOVED) break
    removed.push(clearCookie(kind, name))
    left -= bytes
  }
  return removed
}

/** Whether a cookie is one of a sign-in in progress. */
function isCounted(request: Incoming, name: string): boolean {
  const { callbackUrl, emailRequest, signInForm } = request.cookieOptions
  return (
    [callbackUrl, emailRequest, signInForm].some(each => each.name === name) ||
    kindOf(request, name) !== null ||
    attemptOfResponse(request, name) !== null
  )
}

/** The name of the attempt that a posted answer belongs to, by the name of the cookie of the answer; null for other cookies. */
function attemptOfResponse({ cookieOptions: { state } }: Incoming, name: string): string | null {
  const prefix = `${state.name}-answer.`
  return name.startsWith(prefix) ? `${state.name}.${name.slice(prefix.length)}` : null
}

/** The row of the table that the cookie of an attempt is of; null for other cookies. */
function kindOf({ cookieOptions }: Incoming, name: string): CookieOption | null {
  const kinds = [cookieOptions.state, cookieOptions.webauthnChallenge]
  const isOf = (kind: CookieOption) =>
    name.length === kind.name.length + 1 + ID_LENGTH && name.startsWith(`${kind.name}.`)
  return kinds.find(isOf) ?? null
}

/**
 * Attempts in the order in which they are removed: what cannot be opened, which another host may have planted, and then by age. How
 * many there are is limited by the size of the request.
 */
async function oldestFirst(
  config: ResolvedConfig,
  request: Incoming,
  attempts: readonly Pair[],
): Promise<readonly Outstanding[]> {
  const outstanding = attempts.map(async pair => {
    const kind = kindOf(request, pair.name)
    if (!kind) return []
    const cookies = sentAttempts(request, kind).filter(({ name }) => name === pair.name)
    return [{ ...pair, kind, createdAt: await beginningOf(config, kind.name, cookies) }]
  })
  return (await Promise.all(outstanding))
    .flat()
    .sort((one, other) => one.createdAt - other.createdAt)
}

/** The cookies of a `Cookie` header, with the bytes that they take in it. */
function pairsOf(header: string): readonly Pair[] {
  return header.split('; ').map(pair => {
    const [name = ''] = pair.split('=', 1)
    return { name, bytes: pair.length + 2 }
  })
}
