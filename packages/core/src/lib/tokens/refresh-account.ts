import type { AccountKey, Adapter, AdapterAccount } from '../base/adapter.ts'
import type { TokenSet } from '../base/user.ts'
import type { OpenedAccount } from './seal-tokens.ts'
import { endedTokenDigest, isEnded, isGood } from './token-set.ts'

/** The dependencies of refreshing the tokens of a stored account. */
export interface RefreshDependencies {
  readonly key: AccountKey
  /** The user who gets the tokens. The account may come to belong to another one at any time. */
  readonly userId: string
  readonly rows: TokenMethods
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
export interface TokenMethods extends Pick<Adapter, 'leaseAccount'> {
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
  dependencies: RefreshDependencies,
  seen: OpenedAccount,
): Promise<RefreshOutcome> {
  const { rows, key } = dependencies
  let waited = 0
  let delay = FIRST_WAIT
  for (;;) {
    const earlier = dependencies.unsaved.get(nameOf(key))?.held
    const held = rows.leaseAccount && (earlier ?? { holder: dependencies.randomHex(16) })
    const leased = held ? await lease(dependencies, held) : await rows.read(key)
    if (leased && !isOwn(dependencies, leased)) return giveUp(dependencies, 'no_account', held)
    const outcome = leased && (await refreshLeased(dependencies, leased, seen, held))
    if (outcome) return outcome
    const current = await rows.read(key)
    if (!current) {
      dependencies.unsaved.delete(nameOf(key))
      return noAccount
    }
    if (!isOwn(dependencies, current)) return noAccount
    // A refresh token that only this process has is stored before any token is returned.
    const isDone = isNewer(dependencies, current, seen) && !unsavedFor(dependencies, current)
    if (isDone) return { ok: true, account: current }
    if (waited >= WAIT_TIMEOUT) return { ok: false, reason: 'unavailable' }
    await dependencies.wait(delay)
    waited += delay
    delay = Math.min(delay * 2, MAX_WAIT)
  }
}

const noAccount = { ok: false, reason: 'no_account' } as const satisfies RefreshOutcome

/** Whether an account still belongs to the user who asks. The tokens of another user are not for this one. */
function isOwn({ userId }: RefreshDependencies, account: OpenedAccount): boolean {
  return String(account.userId) === userId
}

type Held = { readonly holder: string } | undefined

async function lease(
  { rows, key, now }: RefreshDependencies,
  { holder }: { readonly holder: string },
): Promise<OpenedAccount | null> {
  const time = now()
  const requested = { holder, now: new Date(time), until: new Date(time + LEASE) }
  const account = await rows.leaseAccount?.(key, requested)
  return account ? rows.open(account) : null
}

/** Null if another process has the account by now: wait for its result. */
async function refreshLeased(
  dependencies: RefreshDependencies,
  stored: OpenedAccount,
  seen: OpenedAccount,
  held: Held,
): Promise<RefreshOutcome | null> {
  const unsaved = unsavedFor(dependencies, stored)
  if (isNewer(dependencies, stored, seen))
    return keepRefreshToken(dependencies, stored, unsaved, held)
  const account = unsaved ? { ...stored, ...changesOf(dependencies, unsaved.tokens) } : stored
  const { refresh_token } = account
  if (
    unsaved &&
    isGood(
      account,
      { minValidity: 0, rejectedToken: dependencies.rejectedToken },
      dependencies.now(),
    )
  ) {
    return save(dependencies, stored, changesOf(dependencies, unsaved.tokens), held)
  }
  if (!refresh_token) return giveUp(dependencies, 'no_refresh_token', held)
  if (await hasEnded(dependencies, account)) return giveUp(dependencies, 'invalid_grant', held)
  const result = await dependencies.ask({ ...account, refresh_token })
  if (result.ok) {
    // One that does not rotate sends none: then the last that came is still the one.
    const tokens = { ...(unsaved && { refresh_token }), ...result.tokens }
    // Whatever happens to the store: this process still knows them.
    const used = stored.refresh_token ?? refresh_token
    dependencies.unsaved.set(nameOf(dependencies.key), { used, tokens, held })
    return save(dependencies, stored, changesOf(dependencies, tokens), held)
  }
  if (result.reason === 'invalid_grant') {
    return believe(dependencies, stored.refresh_token ?? refresh_token, result.cause, held)
  }
  await release(dependencies, held)
  return { ok: false, reason: result.reason, cause: result.cause }
}

async function giveUp(
  dependencies: RefreshDependencies,
  reason: 'no_account' | 'no_refresh_token' | 'invalid_grant',
  held: Held,
): Promise<RefreshOutcome> {
  await release(dependencies, held)
  return { ok: false, reason, isReported: true }
}

/** Tokens that this process has, and the store lacks: unless others are stored since. */
function unsavedFor({ unsaved, key }: RefreshDependencies, stored: OpenedAccount) {
  const found = unsaved.get(nameOf(key))
  if (found && found.used !== stored.refresh_token) unsaved.delete(nameOf(key))
  return found?.used === stored.refresh_token ? found : undefined
}

/**
 * The user has signed in meanwhile, or another process was quicker: their access token wins. But a refresh token that
 * is used up must not stay, which it would if a sign-in brought none.
 */
async function keepRefreshToken(
  dependencies: RefreshDependencies,
  stored: OpenedAccount,
  unsaved: UnsavedTokens | undefined,
  held: Held,
): Promise<RefreshOutcome | null> {
  const newer = unsaved && changesOf(dependencies, unsaved.tokens).refresh_token
  if (newer) return save(dependencies, stored, { refresh_token: newer }, held)
  dependencies.unsaved.delete(nameOf(dependencies.key))
  await release(dependencies, held)
  return { ok: true, account: stored }
}

function changesOf(dependencies: RefreshDependencies, tokens: TokenSet): Partial<AdapterAccount> {
  return {
    ...dependencies.storedOf(tokens),
    // The lifetime of the earlier one does not apply to this one. Null empties the column.
    expires_at: (tokens.expires_at ?? null) as number,
  }
}

/** The access token is not returned before the refresh token that came with it is stored. */
async function save(
  dependencies: RefreshDependencies,
  account: OpenedAccount,
  changes: Partial<AdapterAccount>,
  held: Held,
): Promise<RefreshOutcome | null> {
  const { rows, key, unsaved } = dependencies
  // A lease moves with its account: what is written then keeps the account of the other user working.
  if (!held && (await hasMoved(dependencies))) return noAccount
  const write = () => rows.updateAccount({ ...key, ...changes }, held)
  const stored = await persist(dependencies, write).catch(error => {
    // Without a lease it could overwrite what a sign-in has stored since.
    if (held) void saveLater(dependencies, write)
    throw error
  })
  if (stored) {
    unsaved.delete(nameOf(key))
    const { userId } = stored
    if (userId == null ? await hasMoved(dependencies) : String(userId) !== dependencies.userId)
      return noAccount
    const issued_at = Math.floor(dependencies.now() / 1000)
    const aged = changes.access_token === undefined ? {} : { issued_at }
    return { ok: true, account: withoutNulls({ ...account, ...changes, ...aged }) }
  }
  const current = await rows.read(key)
  const isWaitedFor = current?.refresh_token === account.refresh_token && held !== undefined
  // The lease has ended, and another process has the old refresh token. That process may die as well.
  if (isWaitedFor) return null
  unsaved.delete(nameOf(key))
  // The user has signed in again, or another process was quicker: the stored tokens win.
  return asStored(dependencies, current, account.refresh_token)
}

async function hasMoved(dependencies: RefreshDependencies): Promise<boolean> {
  const current = await dependencies.rows.read(dependencies.key)
  return current !== null && !isOwn(dependencies, current)
}

/**
 * The tokens that others have stored meanwhile. They may have deleted them. Null if there is another refresh token to
 * be used.
 */
function asStored(
  dependencies: RefreshDependencies,
  current: OpenedAccount | null,
  used: string | null | undefined,
): RefreshOutcome | null {
  if (!current || !isOwn(dependencies, current)) return noAccount
  const { rejectedToken, now } = dependencies
  if (isGood(current, { minValidity: 0, rejectedToken }, now()))
    return { ok: true, account: current }
  if (!current.refresh_token) return { ok: false, reason: 'no_refresh_token' }
  return current.refresh_token === used ? { ok: false, reason: 'unavailable' } : null
}

/** Whether the refresh token of an account has ended. */
async function hasEnded(
  { endedTokens }: RefreshDependencies,
  account: OpenedAccount,
): Promise<boolean> {
  const { refresh_token } = account
  if (!refresh_token) return false
  return (await isEnded(account)) || endedTokens.has(await endedTokenDigest(refresh_token))
}

/** A refresh token is only given up if no other one is stored by now. */
async function believe(
  dependencies: RefreshDependencies,
  used: string,
  cause: unknown,
  held: Held,
): Promise<RefreshOutcome | null> {
  const { rows, key } = dependencies
  // Without leases another process may have used it, and be about to store what it got.
  const delays = held ? [0] : [0, 100, 400]
  for (const delay of delays) {
    if (delay > 0) await dependencies.wait(delay)
    const current = await rows.read(key)
    if (current?.refresh_token === used && isOwn(dependencies, current)) continue
    await release(dependencies, held)
    return asStored(dependencies, current, used)
  }
  const digest = await endedTokenDigest(used)
  dependencies.unsaved.delete(nameOf(key))
  if (rows.takesErrors) await rows.updateAccount({ ...key, token_error: digest }, held)
  else {
    dependencies.endedTokens.add(digest)
    await release(dependencies, held)
  }
  return { ok: false, reason: 'invalid_grant', cause }
}

/** Gives a lease back. It ends by itself if that fails. */
async function release({ rows, key }: RefreshDependencies, held: Held): Promise<void> {
  if (!held) return
  try {
    await rows.updateAccount(key, held)
  } catch {
    // Others wait a little longer.
  }
}

/** Tries again for a moment: what is lost here may be lost for good. */
async function persist<Result>(
  { wait }: RefreshDependencies,
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
  { unsaved, key, wait }: RefreshDependencies,
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
  { rejectedToken, now }: RefreshDependencies,
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
