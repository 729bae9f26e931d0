import type { AccountKey, AdapterAccount } from '../base/adapter.ts'
import type { Sealer } from '../crypto/jwe.ts'
import { PURPOSES } from '../crypto/purposes.ts'

/** The purpose of the keys. Part of stored data: with any other, no token could be opened. */
export const TOKENS_PURPOSE: string = PURPOSES.accountTokens

/** An account with its tokens as they are. */
export interface OpenedAccount extends AdapterAccount {
  /** When the access token was stored, in seconds since 1970, if known. */
  issued_at?: number
}

const PREFIX = 'sa1.'
const COLUMNS = ['access_token', 'refresh_token', 'id_token', 'dpop_key'] as const
/** Stored tokens do not expire. In seconds. */
const FOR_EVER = 100 * 365 * 86_400

/**
 * The tokens of an account as they are stored: each sealed together with the account and the column that it
 * is for, so that no value is of any use in another place.
 */
export async function sealTokens<Record extends Partial<AdapterAccount> & AccountKey>(
  sealer: Sealer,
  account: Record,
  now: number,
): Promise<Record> {
  const sealed: Partial<AdapterAccount> = {}
  for (const column of COLUMNS) {
    const value = account[column]
    if (typeof value !== 'string' || value === '') continue
    // A row that is put back as it was read.
    if (value.startsWith(PREFIX) && (await openValue(sealer, account, column, value, now))) continue
    const claims = { ...placeOf(account, column), v: value }
    sealed[column] = PREFIX + (await sealer.seal(claims, FOR_EVER, now))
  }
  return { ...account, ...sealed }
}

/**
 * The tokens of an account, opened. Those that were stored unsealed stay; one that cannot be opened is left out, and
 * counts as missing.
 */
export async function openTokens(
  sealer: Sealer,
  account: AdapterAccount,
  now: number,
): Promise<{ readonly account: OpenedAccount; readonly isComplete: boolean }> {
  const opened: OpenedAccount = { ...account }
  let isComplete = true
  for (const column of COLUMNS) {
    const value = account[column]
    if (typeof value !== 'string' || !value.startsWith(PREFIX)) continue
    const found = await openValue(sealer, account, column, value, now)
    if (!found) {
      isComplete = false
      delete opened[column]
      continue
    }
    opened[column] = found.value
    if (column === 'access_token') opened.issued_at = found.sealedAt
  }
  return { account: opened, isComplete }
}

async function openValue(
  sealer: Sealer,
  account: AccountKey,
  column: string,
  value: string,
  now: number,
): Promise<{ readonly value: string; readonly sealedAt: number } | null> {
  const result = await sealer.open(value.slice(PREFIX.length), now)
  if (typeof result === 'string') return null
  const { p, a, c, v, iat } = result.claims as Readonly<{ [claim: string]: unknown }>
  const place = placeOf(account, column)
  const isHere = p === place.p && a === place.a && c === place.c
  return isHere && typeof v === 'string' ? { value: v, sealedAt: Number(iat) } : null
}

function placeOf({ provider, providerAccountId }: AccountKey, column: string) {
  return { p: provider, a: providerAccountId, c: column }
}
