import { primitives } from '#crypto'
import type { StoredPassword } from '../../base/stores.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { PURPOSES } from '../../crypto/purposes.ts'
import { createLinkTokens, type LinkTokens } from '../../email/link-token.ts'
import { createEmailTokens, type EmailTokens } from '../../email/token.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import { accountDigest } from '../cookies/known-browser.ts'

/** A link to choose a password by. */
export interface PasswordLink {
  readonly address: string
  readonly token: string
  /** The stored state when it is made: once that changes, the link is useless. */
  readonly stored: StoredPassword | null
}

/** How the tokens of a provider's links are made. */
export function linkTokensOf({ secrets }: ResolvedConfig, { id }: PasswordConfig): LinkTokens {
  return createLinkTokens(primitives, secrets, [PURPOSES.passwordLink, id])
}

/** The row of a link, with the keys of one-time tokens. */
export async function passwordLinkRow(
  config: ResolvedConfig,
  link: PasswordLink,
): Promise<{ readonly identifier: string; readonly token: string }> {
  const token = await tokensOf(config).hash(textOf(link))
  return { identifier: await identifierOf(config.secrets, link), token }
}

/** The rows that a link may have, the likeliest first. */
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
  return `password:${await accountDigest({ secrets }, address)}`
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
