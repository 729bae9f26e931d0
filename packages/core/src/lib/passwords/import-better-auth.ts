import type { Adapter, AdapterAccount } from '../base/adapter.ts'

/** A row of Better Auth's table `user`, as far as it is needed. */
export interface BetterAuthUser {
  readonly id: string
  readonly name?: string | null
  readonly email: string
  /** A boolean, or as a database has it: 0 or 1. */
  readonly emailVerified: boolean | number | null
  readonly image?: string | null
}

/** A row of Better Auth's table `account`, as far as it is needed. */
export interface BetterAuthAccount {
  readonly userId: string
  /** `credential` for a password. */
  readonly providerId: string
  readonly accountId: string
  readonly password?: string | null
  readonly accessToken?: string | null
  readonly refreshToken?: string | null
  readonly idToken?: string | null
  readonly scope?: string | null
}

/** The data to import, and its options. */
export interface BetterAuthImportOptions {
  readonly users: Iterable<BetterAuthUser> | AsyncIterable<BetterAuthUser>
  readonly accounts: Iterable<BetterAuthAccount> | AsyncIterable<BetterAuthAccount>
  /** Providers that have another id here, such as `{ microsoft: 'microsoft-entra-id' }`. */
  readonly providers?: Readonly<Record<string, string>>
  /** The ids of providers that speak OpenID Connect; the others are stored as OAuth. */
  readonly openId?: readonly string[]
}

/** The numbers of imported rows. Existing ones stay as they are, and are not counted. */
export interface BetterAuthImportResult {
  readonly users: number
  readonly passwords: number
  readonly accounts: number
}

type ImportMethods = Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'linkAccount' | 'getAccount' | 'passwords'>
>

/**
 * Takes over users, passwords and accounts from Better Auth's tables. Ids stay, and so do the hashes: list
 * `betterAuth()` in `verifiers`. Addresses that were not verified there are not verified here. It can be run again:
 * existing rows stay.
 *
 * @example
 * ```ts
 * import { SqliteAdapter } from '@siteauth/adapters/sqlite'
 * import { type BetterAuthAccount, type BetterAuthUser, importBetterAuth } from '@siteauth/core/passwords'
 *
 * declare function rowsOf<Row>(table: string): AsyncIterable<Row> // your database
 *
 * const imported = await importBetterAuth(SqliteAdapter({ file: 'app.db' }), {
 *   users: rowsOf<BetterAuthUser>('user'),
 *   accounts: rowsOf<BetterAuthAccount>('account'),
 *   providers: { microsoft: 'microsoft-entra-id' },
 * })
 * console.log(imported)
 * ```
 */
export async function importBetterAuth(
  adapter: ImportMethods,
  { users, accounts, providers = {}, openId = [] }: BetterAuthImportOptions,
): Promise<BetterAuthImportResult> {
  const imported = { users: 0, passwords: 0, accounts: 0 }
  for await (const row of users) {
    if (await adapter.getUser(row.id)) continue
    const { id, name = null, email, image = null, emailVerified } = row
    // The time of the verification is not stored there. An unverified address must not seem verified.
    await adapter.createUser({
      id,
      name,
      email,
      image,
      emailVerified: isTrue(emailVerified) ? new Date() : null,
    })
    imported.users++
  }
  for await (const row of accounts) {
    if (row.providerId === 'credential') {
      if (await importPassword(adapter, row)) imported.passwords++
    } else if (await importAccount(adapter, row, providers, openId)) imported.accounts++
  }
  return imported
}

/** As a table has it. A text such as `false` or `0`, as exports have them, is not true. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || Number(value) === 1
}

async function importPassword(
  { passwords }: ImportMethods,
  { userId, password }: BetterAuthAccount,
): Promise<boolean> {
  if (!password || (await passwords.get(userId))) return false
  return passwords.set({ userId, hash: password, changedAt: new Date() })
}

async function importAccount(
  adapter: ImportMethods,
  row: BetterAuthAccount,
  names: Readonly<Record<string, string>>,
  openId: readonly string[],
): Promise<boolean> {
  const provider = names[row.providerId] ?? row.providerId
  if (await adapter.getAccount(row.accountId, provider)) return false
  const tokens: [string, string | null | undefined][] = [
    ['access_token', row.accessToken],
    ['refresh_token', row.refreshToken],
    ['id_token', row.idToken],
    // Better Auth separates them by commas.
    ['scope', row.scope?.replaceAll(',', ' ')],
  ]
  const account: AdapterAccount = {
    userId: row.userId,
    provider,
    providerAccountId: row.accountId,
    type: openId.includes(provider) ? 'oidc' : 'oauth',
    ...Object.fromEntries(tokens.filter(([, value]) => value)),
  }
  await adapter.linkAccount(account)
  return true
}
