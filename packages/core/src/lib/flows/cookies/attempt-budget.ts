import type { Awaitable } from '../../base/awaitable.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { changedCookies } from '../../http/cookie-text.ts'
import { type CookieOption, clearCookie, type SetCookie } from '../../http/cookies.ts'
import { postedResponseName } from '../../http/fixed-cookies.ts'
import type { Incoming } from '../request/incoming.ts'
import { beginningOf, sentAttempts } from './attempt-slots.ts'

/**
 * How many bytes all cookies of sign-ins in progress may take in a request. Servers accept 8 KiB of headers at least, and the
 * session takes its part: a browser that sends more is refused until its cookies expire.
 */
const BUDGET = 4608

/**
 * The same while a posted response waits for the redirect that follows. Responses that are posted at once, to two attempts, must
 * not remove each other's attempt.
 */
const BUDGET_WITH_RESPONSE = 6144

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
 * Returns the cookies of a response, and the removal of as many attempts as do not fit into the budget beside them. What the
 * response sets stays.
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
  const isPosted = cookies.some(each => adds(each) && isPostedResponse(request, each.name))
  const budget = isPosted ? BUDGET_WITH_RESPONSE : BUDGET
  const excess = counted.reduce((sum, { bytes }) => sum + bytes, -budget)
  if (excess <= 0) return cookies
  const retained = new Set(cookies.map(({ name }) => name))
  if (isPosted) retained.add(attemptOfForm(request))
  const earlier = counted.filter(({ name }) => !retained.has(name) && kindOf(request, name))
  return removeExcess(config, request, earlier, excess).then(removed => [...removed, ...cookies])
}

async function removeExcess(
  config: ResolvedConfig,
  request: Incoming,
  attempts: readonly Pair[],
  excess: number,
): Promise<readonly SetCookie[]> {
  const removed: SetCookie[] = []
  let left = excess
  for (const { kind, name, bytes } of await inOrderOfRemoval(config, request, attempts)) {
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
    isPostedResponse(request, name)
  )
}

function isPostedResponse({ cookieOptions: { state } }: Incoming, name: string): boolean {
  return name === postedResponseName(state)
}

/** The name of the cookie of the attempt that a posted response belongs to. */
function attemptOfForm({ cookieOptions: { state }, form }: Incoming): string {
  return `${state.name}.${(form.get('state') ?? '').slice(-ID_LENGTH)}`
}

/** The row of the table that the cookie of an attempt is of; null for other cookies. */
function kindOf({ cookieOptions }: Incoming, name: string): CookieOption | null {
  const kinds = [cookieOptions.state, cookieOptions.webauthnChallenge]
  const isOf = (kind: CookieOption) =>
    name.length === kind.name.length + 1 + ID_LENGTH && name.startsWith(`${kind.name}.`)
  return kinds.find(isOf) ?? null
}

/**
 * Attempts in the order in which they are removed: what cannot be opened, which another host may have planted; then challenges, since
 * a link to a page is enough to get one; then attempts at providers, which only a form of this site begins. Each by age. How many
 * there are is limited by the size of the request.
 */
async function inOrderOfRemoval(
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
  const { state } = request.cookieOptions
  const rank = ({ kind, createdAt }: Outstanding) => (createdAt > 0 && kind === state ? 1 : 0)
  return (await Promise.all(outstanding))
    .flat()
    .sort((one, other) => rank(one) - rank(other) || one.createdAt - other.createdAt)
}

/** The cookies of a `Cookie` header, with the bytes that they take in it. */
function pairsOf(header: string): readonly Pair[] {
  return header.split('; ').map(pair => {
    const [name = ''] = pair.split('=', 1)
    return { name, bytes: pair.length + 2 }
  })
}
