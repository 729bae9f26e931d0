import type {
  Adapter,
  AdapterAccount,
  AdapterUser,
  ConditionalLink,
  SessionCondition,
} from '../base/adapter.ts'
import { InvalidCheck } from '../base/errors.ts'

/** The methods that linking asks of an adapter, and those that it uses where they are there. */
export type LinkMethods = Required<Pick<Adapter, 'linkAccount'>> &
  Pick<
    Adapter,
    | 'linkAccountIf'
    | 'getUser'
    | 'unlinkAccount'
    | 'createAuthenticator'
    | 'deleteAuthenticator'
    | 'deleteSessions'
  >

/** What allows an account to be linked. */
export interface LinkPermission {
  /**
   * Throws unless it is still given, as the store knows it now. Returns what a store can check by itself in the same step in which
   * it links.
   */
  require(): Promise<SessionCondition>
  /**
   * Whether the sessions of a user with an unproved address end if it is found only afterwards that it was no longer given: somebody
   * may have signed in with the account in between.
   */
  readonly endsSessions: boolean
}

/** Whatever the user row says is enough. */
export const NO_PERMISSION_NEEDED: LinkPermission = {
  require: async () => ({}),
  endsSessions: false,
}

/** An account, and perhaps the passkey that it stands for. */
export type NewLink = Pick<ConditionalLink, 'account' | 'authenticator'>

/**
 * Stores an account for a user if that is still permitted, and the user has not changed. Throws if it is not permitted any more.
 * The caller finds out whose it is if it is taken.
 */
export async function storeLink(
  rows: LinkMethods,
  user: AdapterUser,
  link: NewLink,
  permission: LinkPermission,
): Promise<'linked' | 'taken' | 'changed'> {
  const condition = await permission.require()
  if (!rows.linkAccountIf) return insertAndCheck(rows, user, link, permission)
  const outcome = await rows.linkAccountIf({ ...link, condition: { user, ...condition } })
  if (outcome === 'unchecked') return checkAfterwards(rows, user, link, permission)
  if (outcome !== 'changed') return outcome
  return linkWithoutSession(rows, rows.linkAccountIf, user, link, permission)
}

/**
 * Links an account although the store says that something has changed: if the user has not, and the permission is still given,
 * the store does not have the session, since sessions are in another one.
 */
async function linkWithoutSession(
  rows: LinkMethods,
  linkAccountIf: NonNullable<Adapter['linkAccountIf']>,
  user: AdapterUser,
  link: NewLink,
  permission: LinkPermission,
): Promise<'linked' | 'taken' | 'changed'> {
  const { sessionToken } = await permission.require()
  if (sessionToken === undefined) return 'changed'
  const outcome = await linkAccountIf({ ...link, condition: { user } })
  if (outcome === 'taken' || outcome === 'changed') return outcome
  return checkAfterwards(rows, user, link, permission)
}

/** For adapters that have no `linkAccountIf`. What remains if the process ends in between: docs/decisions/067. */
async function insertAndCheck(
  rows: LinkMethods,
  user: AdapterUser,
  link: NewLink,
  permission: LinkPermission,
): Promise<'linked'> {
  const { account, authenticator } = link
  await rows.linkAccount(account)
  try {
    if (authenticator) await rows.createAuthenticator?.(authenticator)
  } catch (error) {
    await removeLink(rows, link)
    throw error
  }
  return checkAfterwards(rows, user, link, permission)
}

/** Removes what was stored if it is no longer permitted. */
async function checkAfterwards(
  rows: LinkMethods,
  user: AdapterUser,
  link: NewLink,
  permission: LinkPermission,
): Promise<'linked'> {
  try {
    await permission.require()
    return 'linked'
  } catch (error) {
    await removeLink(rows, link)
    const mayBeOthers = permission.endsSessions && !user.emailVerified
    if (mayBeOthers && error instanceof InvalidCheck) await rows.deleteSessions?.(user.id)
    throw error
  }
}

async function removeLink(rows: LinkMethods, { account, authenticator }: NewLink): Promise<void> {
  const { provider, providerAccountId, userId }: AdapterAccount = account
  await rows.unlinkAccount?.({ provider, providerAccountId }, { userId })
  if (authenticator) await rows.deleteAuthenticator?.(authenticator)
}
