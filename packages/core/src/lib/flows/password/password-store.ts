import { primitives } from '#crypto'
import type { Account, AdapterUser, PasswordStore, StoredPassword } from '../../base/model.ts'
import type { StoreFor } from '../../config/needed-methods.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { PURPOSES } from '../../crypto/keys.ts'
import { uuidFrom } from '../../crypto/random.ts'
import { createLinkTokens, type LinkTokens } from '../../email/link-token.ts'
import { createEmailTokens, type EmailTokens } from '../../email/token.ts'
import { createHasher, type PasswordHasher } from '../../passwords/hasher.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { accountMark } from '../cookies/known-browser.ts'

/** The store. That it is there was checked when the configuration was. */
export function passwordStore({ adapter }: ResolvedConfig): PasswordStore {
  return (adapter as StoreFor<'password'>).passwords
}

/** The password of a user. For nobody the store is asked all the same, so that it takes as long. */
export async function findPassword(
  config: ResolvedConfig,
  user: AdapterUser | null,
): Promise<StoredPassword | null> {
  const nobody = uuidFrom(config.ports.randomHex(16))
  const id = user?.id ?? nobody
  const found = await passwordStore(config).get(id)
  return user && found?.userId === id ? found : null
}

const hashers = new WeakMap<PasswordConfig, PasswordHasher>()

/** One for each provider, since it is one that lets only so many hashes be computed at once. */
export function hasherOf(provider: PasswordConfig): PasswordHasher {
  const known = hashers.get(provider)
  if (known) return known
  const hasher = createHasher(provider.hashing, provider.verifiers)
  hashers.set(provider, hasher)
  return hasher
}

/** The account that a password is. It is not stored: whoever has a password has it. */
export function passwordAccount({ id }: PasswordConfig, user: AdapterUser): Account {
  return { provider: id, providerAccountId: user.id, userId: user.id, type: 'password' }
}

/** A link to choose a password by. */
export interface PasswordLink {
  readonly address: string
  readonly token: string
  /** What is stored when it is made: once that changes, the link is of no use. */
  readonly stored: StoredPassword | null
}

/** How the tokens of a provider's links are made. */
export function linkTokensOf({ secrets }: ResolvedConfig, { id }: PasswordConfig): LinkTokens {
  return createLinkTokens(primitives, secrets, [PURPOSES.passwordLink, id])
}

/** What is kept of a link. The keys are those of one-time tokens. */
export async function passwordLinkRow(
  config: ResolvedConfig,
  link: PasswordLink,
): Promise<{ readonly identifier: string; readonly token: string }> {
  const token = await tokensOf(config).hash(textOf(link))
  return { identifier: await identifierOf(config.secrets, link), token }
}

/** Everything that may be kept of a link, the likeliest first. */
export async function passwordLinkRows(
  config: ResolvedConfig,
  link: PasswordLink,
): Promise<readonly { readonly identifier: string; readonly token: string }[]> {
  const tokens = await tokensOf(config).candidates(textOf(link))
  const identifiers = await Promise.all(config.secrets.map(secret => identifierOf([secret], link)))
  return identifiers.flatMap(identifier => tokens.map(token => ({ identifier, token })))
}

/** Not the address itself: no link of an email provider is to be mistaken for one of these. */
async function identifierOf(
  secrets: readonly string[],
  { address }: PasswordLink,
): Promise<string> {
  return `password:${await accountMark({ secrets }, address)}`
}

function textOf({ address, token, stored }: PasswordLink): string {
  return JSON.stringify([address, token, stored?.hash ?? null])
}

/** By other secrets than the links that sign in: none of the two can stand for the other. */
function tokensOf({ secrets }: ResolvedConfig): EmailTokens {
  return createEmailTokens(
    primitives,
    secrets.map(secret => `${PURPOSES.passwordLink} ${secret}`),
  )
}
