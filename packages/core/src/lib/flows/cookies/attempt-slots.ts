import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { readSentCookies } from '../../http/cookie-text.ts'
import type { CookieOption } from '../../http/cookies.ts'
import { readCookies, type SentCookie } from '../../http/read-cookies.ts'
import type { Incoming } from '../request/incoming.ts'

/**
 * How many sign-ins in progress of each kind a browser can have. Responses to requests that were sent at once do not know of each
 * other's cookies, so it is the number of names that limits them.
 */
const SLOTS = { state: 4, webauthnChallenge: 3 } as const
const ID_LENGTH = 12

/** Returns how many attempts with a return URL a browser can begin at once: no more than fit into the budget beside it. */
export function attemptsWith({ length }: string): number {
  if (length <= 64) return SLOTS.state
  return length <= 1024 ? 3 : 2
}

/**
 * Returns the id of a new sign-in in progress, the last part of its cookie's name: one that the browser does not send yet,
 * otherwise that of the oldest. Where the search begins is random, so that requests at once seldom choose the same.
 *
 * @param available how many ids are taken before one is used again; all of them unless there is less room
 */
export async function chooseSlot(
  config: ResolvedConfig,
  request: Incoming,
  kind: keyof typeof SLOTS,
  available: number = SLOTS[kind],
): Promise<string> {
  const { name } = request.cookieOptions[kind]
  const ids = Array.from({ length: SLOTS[kind] }, (_, slot) =>
    String(slot).padStart(ID_LENGTH, '0'),
  )
  const start = Number.parseInt(config.ports.randomHex(1), 16) % available
  const sent = readCookies(request.headers.get('cookie'), `${name}.`).map(each => each.name)
  const order = [...ids.slice(start, available), ...ids.slice(0, start)]
  const free = order.find(id => !sent.includes(`${name}.${id}`))
  if (free) return free
  const attempts = sentAttempts(request, request.cookieOptions[kind])
  const slots = ids.map(async id => {
    const own = attempts.filter(each => each.name === `${name}.${id}`)
    // Not one for a shorter return URL. And of two `__Host-` cookies neither is read, so that a third would be lost as well.
    const age = own.length === 0 ? Number.POSITIVE_INFINITY : await beginningOf(config, name, own)
    return { id, age }
  })
  return (await Promise.all(slots)).reduce((one, other) => (other.age < one.age ? other : one)).id
}

/** The cookies of the attempts of one kind, all that came: another host may have planted one of the same name. */
export function sentAttempts(request: Incoming, { name }: CookieOption): readonly SentCookie[] {
  return readSentCookies(request.headers.get('cookie'), `${name}.`)
}

/**
 * When an attempt began, in milliseconds; 0 if it was not sealed by this application, or has expired.
 *
 * @param purpose what its cookie is sealed for
 * @param cookies those of its name
 */
export async function beginningOf(
  config: ResolvedConfig,
  purpose: string,
  cookies: readonly SentCookie[],
): Promise<number> {
  const now = config.ports.now()
  const beginnings = cookies.map(async ({ value }) => {
    const opened = await config.sealerFor(purpose).open(value, now)
    return typeof opened === 'string' ? 0 : Number(opened.claims['createdAt'])
  })
  return (await Promise.all(beginnings)).reduce((one, other) => Math.max(one, other), 0)
}
