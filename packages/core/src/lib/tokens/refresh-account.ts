import type { AccountKey, Adapter, AdapterAccount, TokenSet } from '../base/model.ts'
import { endedMark, isEnded, isGood } from './kept-tokens.ts'
import type { OpenedAccount } from './seal-tokens.ts'

/** What refreshing the tokens of a stored account needs. */
export interface RefreshParts {
  readonly key: AccountKey
  readonly rows: TokenRows
  /** Asks the provider. */
  readonly ask: (account: Refreshable) => Promise<ProviderAnswer>
  /** What is stored of tokens. */
  readonly storedOf: (tokens: TokenSet) => Partial<AdapterAccount>
  /** Tokens that came and could not be stored yet, in this process. */
  readonly unsaved: Map<string, UnsavedTokens>
  /** One that the provider no longer takes. */
  readonly refused: string | undefined
  readonly now: () => number
  readonly randomHex: (bytes: number) => string
  readonly wait: (milliseconds: number) => Promise<void>
}

/** The store of accounts, with tokens as they are. */
export interface TokenRows extends Pick<Adapter, 'leaseAccount'> {
  readonly updateAccount: NonNullable<Adapter['updateAccount']>
  /** Whether a column says that an account can no longer be refreshed. */
  readonly takesErrors: boolean
  read(key: AccountKey): Promise<OpenedAccount | null>
  open(account: AdapterAccount): Promise<OpenedAccount>
}

type Refreshable = OpenedAccount & { readonly refresh_token: string }

/** What a provider answered to a refresh token. */
type ProviderAnswer =
  | { readonly ok: true; readonly tokens: TokenSet }
  | {
      readonly ok: false
      readonly why: 'invalid_grant' | 'refused' | 'unavailable'
      readonly cause: Error
    }

/** The account with tokens that are good, or why there are none. */
export type RefreshOutcome =
  | { readonly ok: true; readonly account: OpenedAccount }
  | {
      readonly ok: false
      readonly why: 'no_account' | 'no_refresh_token' | 'invalid_grant' | 'refused' | 'unavailable'
      readonly cause?: unknown
      /** Whether that was known before, so that nobody need be told again. */
      readonly isKnown?: boolean
    }

/** Tokens, and the refresh token that was used up for them. */
interface UnsavedTokens {
  readonly used: string
  readonly tokens: TokenSet
  /** Whose lease may not have ended yet. */
  readonly held: Held
}

/** Longer than a provider and a store may take together. In milliseconds. */
const LEASE = 30_000
/** How long others wait for a holder who may have died. */
const PATIENCE = 35_000
const FIRST_WAIT = 25
const LONGEST_WAIT = 400

/**
 * Refreshes the tokens of a stored account, or waits until whoever does has done so. One process at a time
 * asks the provider: by a lease, so that no lock is held while the network takes its time.
 *
 * @param seen the account with the tokens that were not good enough
 */
export async function refreshAccount(
  parts: RefreshParts,
  seen: OpenedAccount,
): Promise<RefreshOutcome> {
  const { rows, key } = parts
  let waited = 0
  let delay = FIRST_WAIT
  for (;;) {
    const earlier = parts.unsaved.get(nameOf(key))?.held
    const held = rows.leaseAccount && (earlier ?? { holder: parts.randomHex(16) })
    const leased = held ? await lease(parts, held) : await rows.read(key)
    const outcome = leased && (await refreshLeased(parts, leased, seen, held))
    if (outcome) return outcome
    const current = await rows.read(key)
    if (!current) return { ok: false, why: 'no_account' }
    if (isNewer(parts, current, seen)) return { ok: true, account: current }
    if (waited >= PATIENCE) return { ok: false, why: 'unavailable' }
    await parts.wait(delay)
    waited += delay
    delay = Math.min(delay * 2, LONGEST_WAIT)
  }
}

type Held = { readonly holder: string } | undefined

async function lease(
  { rows, key, now }: RefreshParts,
  { holder }: { readonly holder: string },
): Promise<OpenedAccount | null> {
  const time = now()
  const wish = { holder, now: new Date(time), until: new Date(time + LEASE) }
  const account = await rows.leaseAccount?.(key, wish)
  return account ? rows.open(account) : null
}

/** Null where somebody else has the account by now: what they make of it is to be waited for. */
async function refreshLeased(
  parts: RefreshParts,
  account: OpenedAccount,
  seen: OpenedAccount,
  held: Held,
): Promise<RefreshOutcome | null> {
  const { refresh_token } = account
  const outcome: RefreshOutcome | null = isNewer(parts, account, seen)
    ? { ok: true, account }
    : !refresh_token
      ? { ok: false, why: 'no_refresh_token' }
      : (await isEnded(account))
        ? { ok: false, why: 'invalid_grant', isKnown: true }
        : null
  if (outcome || !refresh_token) {
    await release(parts, held)
    return outcome
  }
  const name = nameOf(parts.key)
  const unsaved = parts.unsaved.get(name)
  const answer: ProviderAnswer =
    unsaved?.used === refresh_token
      ? { ok: true, tokens: unsaved.tokens }
      : await parts.ask({ ...account, refresh_token })
  if (answer.ok) {
    // Whatever happens to the store: this process still knows them.
    parts.unsaved.set(name, { used: refresh_token, tokens: answer.tokens, held })
    return saveTokens(parts, account, answer.tokens, held)
  }
  if (answer.why === 'invalid_grant') return believe(parts, refresh_token, answer.cause, held)
  await release(parts, held)
  return { ok: false, why: answer.why, cause: answer.cause }
}

/** Nobody gets the access token before the refresh token that came with it is stored. */
async function saveTokens(
  parts: RefreshParts,
  account: OpenedAccount,
  tokens: TokenSet,
  held: Held,
): Promise<RefreshOutcome | null> {
  const { rows, key, unsaved } = parts
  const changes = {
    ...parts.storedOf(tokens),
    // How long the earlier one was valid says nothing of this one. Null empties the column.
    expires_at: (tokens.expires_at ?? null) as number,
  }
  const stored = await persist(parts, () => rows.updateAccount({ ...key, ...changes }, held))
  if (stored) {
    unsaved.delete(nameOf(key))
    const { expires_at: _, ...others } = account
    const issued_at = Math.floor(parts.now() / 1000)
    return { ok: true, account: { ...others, ...definedOf(changes), issued_at } }
  }
  const current = await rows.read(key)
  const isWaitedFor = current?.refresh_token === account.refresh_token && held !== undefined
  // The lease has ended, and somebody else has the old refresh token. They may die as well.
  if (isWaitedFor) return null
  unsaved.delete(nameOf(key))
  // Somebody has signed in anew, or another was quicker: what is stored wins.
  return current ? { ok: true, account: current } : { ok: false, why: 'no_account' }
}

/** A refresh token is only given up if no other one is stored by now. */
async function believe(
  parts: RefreshParts,
  used: string,
  cause: unknown,
  held: Held,
): Promise<RefreshOutcome> {
  const { rows, key } = parts
  // Without leases another process may have used it, and be about to store what it got.
  const delays = held ? [0] : [0, 100, 400]
  for (const delay of delays) {
    if (delay > 0) await parts.wait(delay)
    const current = await rows.read(key)
    if (!current) return { ok: false, why: 'no_account' }
    if (current.refresh_token !== used) return { ok: true, account: current }
  }
  if (rows.takesErrors) {
    const changes = { ...key, token_error: await endedMark(used) }
    await rows.updateAccount(changes, held)
  } else await release(parts, held)
  return { ok: false, why: 'invalid_grant', cause }
}

/** Gives a lease back. It ends by itself if that fails. */
async function release({ rows, key }: RefreshParts, held: Held): Promise<void> {
  if (!held) return
  try {
    await rows.updateAccount(key, held)
  } catch {
    // Others wait a little longer.
  }
}

/** Tries again for as long as the lease is likely to last: what is lost here is lost for good. */
async function persist<Result>(
  { wait }: RefreshParts,
  write: () => PromiseLike<Result> | Result,
): Promise<Result> {
  for (const delay of [20, 100, 400]) {
    try {
      return await write()
    } catch {
      await wait(delay)
    }
  }
  return write()
}

/** Whether an account has another access token than before, which is good at all. */
function isNewer(
  { refused, now }: RefreshParts,
  account: OpenedAccount,
  seen: OpenedAccount,
): boolean {
  const isOther = account.access_token !== seen.access_token
  return isOther && isGood(account, { minValidity: 0, refused }, now())
}

function nameOf({ provider, providerAccountId }: AccountKey): string {
  return JSON.stringify([provider, providerAccountId])
}

function definedOf(changes: Partial<AdapterAccount>): Partial<AdapterAccount> {
  const entries = Object.entries(changes).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) // some of the members of the same object
}
