import { primitives } from '#crypto'
import { type AccountIssuer, toIssuerColumns } from '../../account/account-issuer.ts'
import { applyLink } from '../../account/apply-link.ts'
import { isSameUser } from '../../account/decide-link.ts'
import { createSignUpMarkers } from '../../account/sign-up-marker.ts'
import { findUserByAccount } from '../../account/store-account.ts'
import type { Adapter, AdapterUser } from '../../base/adapter.ts'
import type { Account } from '../../base/user.ts'
import type { StoreFor } from '../../config/needed-methods.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SignedIn } from '../../oauth/profile/build-account.ts'
import type { ResolvedOAuthProvider } from '../../oauth/provider/resolve-provider.ts'
import { findSessionCondition } from '../../principal/get-principal.ts'
import type { SessionLimits } from '../../session/lifetime.ts'
import type { Incoming } from '../request/incoming.ts'
import { claimableRows } from '../sign-in/account-store.ts'
import type { VerifiedIdentity } from '../sign-in/authorize-sign-in.ts'
import { type SignInAttempt, whileSignedIn } from '../sign-in/sign-in-attempt.ts'

/** The user that has the account, if any. Throws if the account is stored for another issuer. */
export function ownerOf(
  adapter: Readonly<Adapter>,
  account: Account,
  issuer: AccountIssuer,
): Promise<AdapterUser | null> {
  return findUserByAccount(adapter as StoreFor<'oauth'>, account, issuer) // checked with the configuration
}

/** The issuer of an account that someone has signed in with. */
export function toAccountIssuer(
  { account: { takesIssuers }, isIdShared }: Pick<ResolvedConfig, 'account' | 'isIdShared'>,
  { id, issuer: configured }: Pick<ResolvedOAuthProvider, 'id' | 'issuer'>,
  claims: { readonly iss: string } | null,
): AccountIssuer {
  return {
    issuer: claims?.iss ?? configured,
    isStored: takesIssuers,
    isIdShared: () => isIdShared(id),
  }
}

/** Finds or makes the user of a store that an account at a provider belongs to. */
export async function linkAccount(
  config: ResolvedConfig,
  adapter: Readonly<Adapter>,
  request: Incoming,
  provider: ResolvedOAuthProvider,
  identified: SignedIn & {
    readonly currentOwner: AdapterUser | null
    readonly issuer: AccountIssuer
    /** The key that the tokens are bound to, as a private JWK. */
    readonly dpopKey?: string | undefined
    /** The user who began this in order to have the account added. */
    readonly addTo: AdapterUser | null
    readonly limits: SessionLimits
    readonly attempt: SignInAttempt
  },
): Promise<VerifiedIdentity> {
  const { user, account, issuer, profile, isEmailProven, currentOwner, addTo, limits, attempt } =
    identified
  const rows = claimableRows(config, adapter, attempt) as StoreFor<'oauth'>
  const details = await config.describeSession?.(request, account.provider)
  const draft = request.sessions.draft({ limits, details })
  const linked = await applyLink(rows, config.events, {
    user,
    account,
    issuer,
    stored: {
      ...provider.account(account),
      ...boundTo(config, identified.dpopKey),
      ...toIssuerColumns(issuer),
    },
    userByAccount: currentOwner,
    addTo,
    findSession: () => findSessionCondition(config, request, addTo),
    requireUnrevoked: userId => attempt.requireCondition(userId),
    session: draft,
    canLinkByEmail: provider.config.allowDangerousEmailAccountLinking === true,
    isEmailProven,
    hasOwnSignInMethods: owner => hasOwnSignInMethods(config, owner),
    markers: createSignUpMarkers(primitives, config.secrets, config.ports.now),
    now: config.ports.now,
    randomHex: config.ports.randomHex,
  })
  const owner = linked.user
  const { id } = owner
  return {
    ...linked,
    attempt: addTo ? whileSignedIn(attempt, config, request, addTo) : attempt,
    draft,
    limits,
    details,
    account: { ...account, userId: owner.id },
    profile,
    isEmailProven: Boolean(owner.emailVerified),
    async stillHolds() {
      // The key and nothing else: Prisma's adapter makes a condition of each member.
      const { provider, providerAccountId } = account
      const current = (await rows.getUserByAccount({ provider, providerAccountId })) ?? null
      return current ? isSameUser(current, { id }) : !canBeRemoved(adapter, currentOwner)
    },
  }
}

/**
 * Whether an account that is not found was removed during the sign-in: its owner has unlinked it, or someone has proved the address,
 * which locks everyone else out. In stores that have nothing of ours, the indexes may not have one yet that was linked a moment ago.
 */
function canBeRemoved(
  { unlinkAccount, listAccounts }: Readonly<Adapter>,
  currentOwner: AdapterUser | null,
): boolean {
  return unlinkAccount !== undefined && (currentOwner !== null || listAccounts !== undefined)
}

/** Whether anybody may sign in as the user by what only the application stores: it is so unless the application denies it. */
async function hasOwnSignInMethods(
  { callbacks, providers }: ResolvedConfig,
  user: AdapterUser,
): Promise<boolean> {
  const { userHasOtherSignInMethods } = callbacks
  if (userHasOtherSignInMethods) return (await userHasOtherSignInMethods({ user })) !== false
  return [...providers.values()].some(({ type }) => type === 'credentials')
}

/** Only stores that say so have a column for it. */
function boundTo(
  { account }: ResolvedConfig,
  dpopKey: string | undefined,
): { readonly dpop_key?: string } {
  return dpopKey !== undefined && account.takesMore ? { dpop_key: dpopKey } : {}
}
