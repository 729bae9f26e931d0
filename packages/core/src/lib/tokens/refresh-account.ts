import type { AccountKey, Adapter, AdapterAccount } from '../base/adapter.ts'
import type { TokenSet } from '../base/user.ts'
import type { OpenedAccount } from './seal-tokens.ts'
import { endedTokenDigest, isEnded, isGood } from './token-set.ts'

/** The dependencies of refreshing the tokens of a stored account. */
export interface RefreshParts {
  readonly key: AccountKey
  /** The user who gets the tokens. The account may come to belong to another one at any time. */
  readonly userId: string
  readonly rows: TokenRows
  /** Asks the provider. */
  readonly ask: (account: Refreshable) => Promise<RefreshResult>
  /** The stored part of tokens. */
  readonly storedOf: (tokens: TokenSet) => Partial<AdapterAccount>
  /** Tokens that came and could not be stored yet, in this process. */
  readonly unsaved: Map<string, UnsavedTokens>
  /** The tokens that this process has found to have ended, for stores without a column for it. */
  readonly endedTokens: { has(digest: string): boolean; add(digest: string): void }
  /** One that the provider no longer takes. */
  readonly rejectedToken: string | undefined
  readonly now: () => number
  readonly randomHex: (bytes: number) => string
  readonly wait: (milliseconds: number) => Promise<void>
}

/** The store of accounts, with tokens as they are. */
export interface TokenRows extends Pick<Adapter, 'leaseAccount'> {
  readonly updateAccount: NonNullable<Adapter['updateAccount']>
  /** Whether a column records that an account can no longer be refreshed. */
  readonly takesErrors: boolean
  read(key: AccountKey): Promise<OpenedAccount | null>
  open(account: AdapterAccount): Promise<OpenedAccount>
}

type Refreshable = OpenedAccount & { readonly refresh_token: string }

/** A provider's response to a refresh token. */
type RefreshResult =
  | { readonly ok: true; readonly tokens: TokenSet }
  | {
      readonly ok: false
      readonly reason: 'invalid_grant' | 'refused' | 'unavailable'
      readonly cause: Error
    }

/** The account with valid tokens, or the reason why there are none. */
export type RefreshOutcome =
  | { readonly ok: true; readonly account: OpenedAccount }
  | {
      readonly ok: false
      readonly reason:
        | 'no_account'
        | 'no_refresh_token'
        | 'invalid_grant'
        | 'refused'
        | 'unavailable'
      readonly cause?: unknown
      /** Whether it was found before, so that it need not be reported again. */
      readonly isReported?: boolean
    }

/** Tokens, and the refresh token that was used up for them. */
interface UnsavedTokens {
  readonly used: string
  readonly tokens: TokenSet
  /** The holder of a lease that may not have ended yet. */
  readonly held: Held
}

/** Longer than a provider and a store may take together. In milliseconds. */
const LEASE = 30_000
/** How long others wait for a holder who may have died. */
const WAIT_TIMEOUT = 35_000
const FIRST_WAIT = 25
const MAX_WAIT = 400

/**
 * Refreshes the tokens of a stored account, or waits until the process that does has done so. One process at a time
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
    if (leased && !isOwn(parts, leased)) return giveUp(parts, 'no_account', held)
    const outcome = leased && (await refreshLeased(parts, leased, seen, held))
    if (outcome) return outcome
    const current = await rows.read(key)
    if (!current) {
      parts.unsaved.delete(nameOf(key))
      return noAccount
    }
    if (!isOwn(parts, current)) return noAccount
    // A refresh token that only this process has is stored before any token is returned.
    const isDone = isNewer(parts, current, seen) && !unsavedFor(parts, current)
    if (isDone) return { ok: true, account: current }
    if (waited >= WAIT_TIMEOUT) return { ok: false, reason: 'unavailable' }
    await parts.wait(delay)
    waited += delay
    delay = Math.min(delay * 2, MAX_WAIT)
  }
}

const noAccount = { ok: false, reason: 'no_account' } as const satisfies RefreshOutcome

/** Whether an account still belongs to the user who asks. The tokens of another user are not for this one. */
function isOwn({ userId }: RefreshParts, account: OpenedAccount): boolean {
  return String(account.userId) === userId
}

type Held = { readonly holder: string } | undefined

async function lease(
  { rows, key, now }: RefreshParts,
  { holder }: { readonly holder: string },
): Promise<OpenedAccount | null> {
  const time = now()
  const requested = { holder, now: new Date(time), until: new Date(time + LEASE) }
  const account = await rows.leaseAccount?.(key, requested)
  return account ? rows.open(account) : null
}

/** Null if another process has the account by now: wait for its result. */
async function refreshLeased(
  parts: RefreshParts,
  stored: OpenedAccount,
  seen: OpenedAccount,
  held: Held,
): Promise<RefreshOutcome | null> {
  const unsaved = unsavedFor(parts, stored)
  if (isNewer(parts, stored, seen)) return keepRefreshToken(parts, stored, unsaved, held)
  const account = unsaved ? { ...stored, ...changesOf(parts, unsaved.tokens) } : stored
  const { refresh_token } = account
  if (
    unsaved &&
    isGood(account, { minValidity: 0, rejectedToken: parts.rejectedToken }, parts.now())
  ) {
    return save(parts, stored, changesOf(parts, unsaved.tokens), held)
  }
  if (!refresh_token) return giveUp(parts, 'no_refresh_token', held)
  if (await hasEnded(parts, account)) return giveUp(parts, 'invalid_grant', held)
  const result = await parts.ask({ ...account, refresh_token })
  if (result.ok) {
    // One that does not rotate sends none: then the last that came is still the one.
    const tokens = { ...(unsaved && { refresh_token }), ...result.tokens }
    // Whatever happens to the store: this process still knows them.
    const used = stored.refresh_token ?? refresh_token
    parts.unsaved.set(nameOf(parts.key), { used, tokens, held })
    return save(parts, stored, changesOf(parts, tokens), held)
  }
  if (result.reason === 'invalid_grant') {
    return believe(parts, stored.refresh_token ?? refresh_token, result.cause, held)
  }
  await release(parts, held)
  return { ok: false, reason: result.reason, cause: result.cause }
}

async function giveUp(
  parts: RefreshParts,
  reason: 'no_account' | 'no_refresh_token' | 'invalid_grant',
  held: Held,
): Promise<RefreshOutcome> {
  await release(parts, held)
  return { ok: false, reason, isReported: true }
}

/** Tokens that this process has, and the store lacks: unless others are stored since. */
function unsavedFor({ unsaved, key }: RefreshParts, stored: OpenedAccount) {
  const found = unsaved.get(nameOf(key))
  if (found && found.used !== stored.refresh_token) unsaved.delete(nameOf(key))
  return found?.used === stored.refresh_token ? found : undefined
}

/**
 * The user has signed in meanwhile, or another process was quicker: their access token wins. But a refresh token that
 * is used up must not stay, which it would if a sign-in brought none.
 */
async function keepRefreshToken(
  parts: RefreshParts,
  stored: OpenedAccount,
  unsaved: UnsavedTokens | undefined,
  held: Held,
): Promise<RefreshOutcome | null> {
  const newer = unsaved && changesOf(parts, unsaved.tokens).refresh_token
  if (newer) return save(parts, stored, { refresh_token: newer }, held)
  parts.unsaved.delete(nameOf(parts.key))
  await release(parts, held)
  return { ok: true, account: stored }
}

function changesOf(parts: RefreshParts, tokens: TokenSet): Partial<AdapterAccount> {
  return {
    ...parts.storedOf(tokens),
    // The lifetime of the earlier one does not apply to this one. Null empties the column.
    expires_at: (tokens.expires_at ?? null) as number,
  }
}

/** The access token is not returned before the refresh token that came with it is stored. */
async function save(
  parts: RefreshParts,
  account: OpenedAccount,
  changes: Partial<AdapterAccount>,
  held: Held,
): Promise<RefreshOutcome | null> {
  const { rows, key, unsaved } = parts
  // A lease moves with its account: what is written then keeps the account of the other user working.
  if (!held && (await hasMoved(parts))) return noAccount
  const write = () => rows.updateAccount({ ...key, ...changes }, held)
  const stored = await persist(parts, write).catch(error => {
    // Without a lease it could overwrite what a sign-in has stored since.
    if (held) void saveLater(parts, write)
    throw error
  })
  if (stored) {
    unsaved.delete(nameOf(key))
    const { userId } = stored
    if (userId == null ? await hasMoved(parts) : String(userId) !== parts.userId) return noAccount
    const issued_at = Math.floor(parts.now() / 1000)
    const aged = changes.access_token === undefined ? {} : { issued_at }
    return { ok: true, account: withoutNulls({ ...account, ...changes, ...aged }) }
  }
  const current = await rows.read(key)
  const isWaitedFor = current?.refresh_token === account.refresh_token && held !== undefined
  // The lease has ended, and another process has the old refresh token. That process may die as well.
  if (isWaitedFor) return null
  unsaved.delete(nameOf(key))
  // The user has signed in again, or another process was quicker: the stored tokens win.
  return asStored(parts, current, account.refresh_token)
}

async function hasMoved(parts: RefreshParts): Promise<boolean> {
  const current = await parts.rows.read(parts.key)
  return current !== null && !isOwn(parts, current)
}

/**
 * The tokens that others have stored meanwhile. They may have deleted them. Null if there is another refresh token to
 * be used.
 */
function asStored(
  parts: RefreshParts,
  current: OpenedAccount | null,
  used: string | null | undefined,
): RefreshOutcome | null {
  if (!current || !isOwn(parts, current)) return noAccount
  const { rejectedToken, now } = parts
  if (isGood(current, { minValidity: 0, rejectedToken }, now()))
    return { ok: true, account: current }
  if (!current.refresh_token) return { ok: false, reason: 'no_refresh_token' }
  return current.refresh_token === used ? { ok: false, reason: 'unavailable' } : null
}

/** Whether the refresh token of an account has ended. */
async function hasEnded({ endedTokens }: RefreshParts, account: OpenedAccount): Promise<boolean> {
  const { refresh_token } = account
  if (!refresh_token) return false
  return (await isEnded(account)) || endedTokens.has(await endedTokenDigest(refresh_token))
}

/** A refresh token is only given up if no other one is stored by now. */
async function believe(
  parts: RefreshParts,
  used: string,
  cause: unknown,
  held: Held,
): Promise<RefreshOutcome | null> {
  const { rows, key } = parts
  // Without leases another process may have used it, and be about to store what it got.
  const delays = held ? [0] : [0, 100, 400]
  for (const delay of delays) {
    if (delay > 0) await parts.wait(delay)
    const current = await rows.read(key)
    if (current?.refresh_token === used && isOwn(parts, current)) continue
    await release(parts, held)
    return asStored(parts, current, used)
  }
  const digest = await endedTokenDigest(used)
  parts.unsaved.delete(nameOf(key))
  if (rows.takesErrors) await rows.updateAccount({ ...key, token_error: digest }, held)
  else {
    parts.endedTokens.add(digest)
    await release(parts, held)
  }
  return { ok: false, reason: 'invalid_grant', cause }
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

/** Tries again for a moment: what is lost here may be lost for good. */
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

/**
 * Goes on trying for as long as the lease is likely to last. The next call would do the same, but it may come to
 * another process, which has nothing but the refresh token that is used up.
 */
async function saveLater(
  { unsaved, key, wait }: RefreshParts,
  write: () => PromiseLike<unknown> | unknown,
): Promise<void> {
  const tokens = unsaved.get(nameOf(key))
  for (const delay of [1000, 2000, 4000, 8000]) {
    await wait(delay)
    // Stored by a call that came since, or overtaken.
    if (unsaved.get(nameOf(key)) !== tokens) return
    try {
      if (await write()) unsaved.delete(nameOf(key))
      return
    } catch {
      // It is still down.
    }
  }
}

/** Whether an account has another access token than before, or for longer, which is good at all. */
function isNewer(
  { rejectedToken, now }: RefreshParts,
  account: OpenedAccount,
  seen: OpenedAccount,
): boolean {
  const isOther =
    account.access_token !== seen.access_token || (account.expires_at ?? 0) > (seen.expires_at ?? 0)
  return isOther && isGood(account, { minValidity: 0, rejectedToken }, now())
}

function nameOf({ provider, providerAccountId }: AccountKey): string {
  return JSON.stringify([provider, providerAccountId])
}

function withoutNulls(account: OpenedAccount): OpenedAccount {
  const entries = Object.entries(account).filter(([, value]) => value !== null)
  // Sound: what names an account, and whose it is, is never null.
  return Object.fromEntries(entries) as unknown as OpenedAccount
}
