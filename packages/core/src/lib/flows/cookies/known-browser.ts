import { primitives } from '#crypto'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { toBase64Url } from '../../crypto/encoding.ts'
import { type SetCookie, setCookie } from '../../http/cookies.ts'
import type { ProvenIdentity } from '../../session/store.ts'
import { provenName } from '../provider/credential-names.ts'
import type { Incoming } from '../request/incoming.ts'

/** A browser that somebody has signed in with. */
export interface KnownBrowser {
  readonly id: string
  /** The marks of whom it was, the latest first. */
  readonly accounts: readonly string[]
}

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
  const known = await openKnownBrowser(config, request)
  const cookie = request.cookieOptions.knownBrowser
  const browser: KnownBrowser = {
    id: known?.id ?? config.ports.randomHex(16),
    accounts: [...new Set([...marks, ...(known?.accounts ?? [])])].slice(0, MOST_ACCOUNTS),
  }
  const sealed = await config
    .sealerFor(cookie.name)
    .seal({ ...browser }, MAX_AGE, config.ports.now())
  return [setCookie(cookie, sealed, { maxAge: MAX_AGE })]
}

/** The browser, if somebody has signed in with it. */
export async function openKnownBrowser(
  config: ResolvedConfig,
  request: Incoming,
): Promise<KnownBrowser | null> {
  const { name } = request.cookieOptions.knownBrowser
  const sealed = request.cookies[name]
  const opened = sealed && (await config.sealerFor(name).open(sealed, config.ports.now()))
  if (!opened || typeof opened === 'string') return null
  const { id, accounts } = opened.claims as unknown as KnownBrowser // sealed by ourselves
  return { id, accounts }
}

/** Stands for a name or an address, which nobody is told by it. All spellings of one have the same. */
export async function accountMark(
  { secrets }: Pick<ResolvedConfig, 'secrets'>,
  account: string,
): Promise<string> {
  const name = account.normalize('NFKC').trim().toLowerCase()
  const hash = await primitives.digest('SHA-256', `account ${name} ${secrets[0]}`)
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
