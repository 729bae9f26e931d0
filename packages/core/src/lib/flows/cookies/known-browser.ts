import { primitives } from '#crypto'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { toBase64Url } from '../../crypto/encoding.ts'
import { PURPOSES } from '../../crypto/keys.ts'
import type { SetCookie } from '../../http/cookies.ts'
import type { ProvenIdentity } from '../../session/store.ts'
import { provenName } from '../provider/credential-names.ts'
import type { Incoming } from '../request/incoming.ts'
import { type SealedCookie, sealedCookie } from './sealed-cookie.ts'

/** A browser that somebody has signed in with. */
export interface KnownBrowser {
  readonly id: string
  /** The marks of whom it was, the latest first. */
  readonly accounts: readonly string[]
}

/** The cookie by which a browser is known that somebody has signed in with. */
export const knownBrowserCookie: SealedCookie<KnownBrowser> = sealedCookie({
  option: 'knownBrowser',
  isBoundToBrowser: false,
  parse: ({ id, accounts }) =>
    typeof id === 'string' && Array.isArray(accounts)
      ? { id, accounts: accounts.filter(account => typeof account === 'string') }
      : null,
})

/** Thirty days. */
const MAX_AGE = 30 * 24 * 60 * 60
/** So that the cookie stays small. */
const MOST_ACCOUNTS = 4

/** The cookie by which a browser is known from now on, since somebody has signed in with it. */
export async function rememberBrowser(
  config: ResolvedConfig,
  request: Incoming,
  identity: ProvenIdentity,
): Promise<readonly SetCookie[]> {
  const accounts = provenAccounts(config, request, identity)
  // A computer that is to forget somebody knows nothing of them either.
  if (accounts.length === 0 || identity.terms?.tmp) return []
  const marks = await Promise.all(accounts.map(account => accountMark(config, account)))
  const known = await knownBrowserCookie.read(config, request)
  const browser: KnownBrowser = {
    id: known?.id ?? config.ports.randomHex(16),
    accounts: [...new Set([...marks, ...(known?.accounts ?? [])])].slice(0, MOST_ACCOUNTS),
  }
  return knownBrowserCookie.write(config, request, browser, MAX_AGE)
}

/** Stands for a name or an address, which nobody is told by it. All spellings of one have the same. */
export async function accountMark(
  { secrets }: Pick<ResolvedConfig, 'secrets'>,
  account: string,
): Promise<string> {
  const name = account.normalize('NFKC').trim().toLowerCase()
  const hash = await primitives.digest('SHA-256', `${PURPOSES.account} ${name} ${secrets[0]}`)
  return toBase64Url(hash).slice(0, 22)
}

/** By which names somebody has shown to be themselves. An address that nobody has proved is none. */
function provenAccounts(
  { providers, adapter }: ResolvedConfig,
  { body }: Incoming,
  { account, user, isEmailProven }: ProvenIdentity,
): readonly string[] {
  const provider = providers.get(account.provider)
  if (provider?.type === 'credentials') {
    const name = provenName(provider, body)
    return name === undefined ? [] : [name]
  }
  const isProven =
    account.type === 'email' ||
    ('emailVerified' in user && user.emailVerified instanceof Date) ||
    (isEmailProven && !adapter)
  return isProven && user.email ? [user.email] : []
}
