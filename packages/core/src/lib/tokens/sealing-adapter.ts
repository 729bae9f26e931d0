import type { Adapter } from '../base/adapter.ts'
import { lazily } from '../base/awaitable.ts'
import { wrapStore } from '../base/wrap-store.ts'
import type { Sealer } from '../crypto/jwe.ts'

// Sessions are read all the time, and accounts written now and then.
const sealing = lazily(() => import('./seal-tokens.ts'))

/** The members of an adapter that do not receive the tokens of a provider. */
type WithoutProviderTokens =
  | 'createUser'
  | 'getUser'
  | 'getUserByEmail'
  | 'getUserByAccount'
  | 'updateUser'
  | 'deleteUser'
  | 'unlinkAccount'
  | 'claimUser'
  | 'getAccount'
  | 'leaseAccount'
  | 'listAccounts'
  | 'createSession'
  | 'getSessionAndUser'
  | 'getAndRenewSession'
  | 'updateSession'
  | 'deleteSession'
  | 'listSessions'
  | 'deleteSessions'
  | 'deleteOtherSessions'
  | 'createVerificationToken'
  | 'useVerificationToken'
  | 'getAuthenticator'
  | 'createAuthenticator'
  | 'listAuthenticatorsByUserId'
  | 'updateAuthenticatorCounter'
  | 'deleteAuthenticator'
  | 'extends'
  | 'trackedSessions'
  | 'revocations'
  | 'limiter'
  | 'passwords'

/** An adapter that receives sealed tokens. Its results stay sealed: see `openTokens`. */
export function sealingAdapter(
  adapter: Adapter,
  sealerFor: (purpose: string) => Sealer,
  now: () => number,
): Adapter {
  return wrapStore<Adapter, WithoutProviderTokens>(adapter, {
    linkAccount: linkAccount => async account => {
      await linkAccount(await sealed(account))
      return account
    },
    linkAccountIf: linkAccountIf => async link =>
      linkAccountIf({ ...link, account: await sealed(link.account) }),
    updateAccount: updateAccount => async (account, held) =>
      updateAccount(await sealed(account), held),
    createUserWithAccount: createUserWithAccount => async signUp => {
      const made = await createUserWithAccount({
        ...signUp,
        account: await sealed(signUp.account),
      })
      return made && { ...made, account: { ...made.account, ...signUp.account } }
    },
  })

  type Sealable = Parameters<typeof import('./seal-tokens.ts').sealTokens>[1]

  async function sealed<Account extends Sealable>(account: Account): Promise<Account> {
    return sealing(({ sealTokens, TOKENS_PURPOSE }) =>
      sealTokens(sealerFor(TOKENS_PURPOSE), account, now()),
    )
  }
}
