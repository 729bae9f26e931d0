import { primitives } from '#crypto'
import { type ResolvedConfig, siteOf } from '../config/resolved.ts'
import { createEmailTokens, type EmailTokens } from '../email/token.ts'
import type { Incoming } from '../http/incoming.ts'
import type { Adapter } from '../model.ts'
import type { EmailConfig } from '../providers/email.ts'

/** What signing in by email asks of a store. */
export type EmailStore = Required<
  Pick<
    Adapter,
    | 'createUser'
    | 'updateUser'
    | 'getUserByEmail'
    | 'createVerificationToken'
    | 'useVerificationToken'
  >
>

/** The store. That it has the methods was checked when the configuration was. */
export function emailRows({ adapter }: ResolvedConfig): EmailStore {
  return adapter as EmailStore
}

/** How the tokens of a provider are hashed. */
export function emailTokensFor(config: ResolvedConfig, provider: EmailConfig): EmailTokens {
  return createEmailTokens(primitives, provider.secret ? [provider.secret] : config.secrets)
}

/** For which address this browser last asked for a link, and of which provider. */
export async function emailAskedFor(
  config: ResolvedConfig,
  request: Incoming,
): Promise<{ readonly identifier: string; readonly provider: string } | null> {
  const { name } = siteOf(config, request.origin).cookies.emailRequest
  const sealed = request.cookies[name]
  const opened = sealed && (await config.sealerFor(name).open(sealed, config.ports.now()))
  if (!opened || typeof opened === 'string') return null
  const { identifier, provider } = opened.claims as { identifier?: unknown; provider?: unknown }
  if (typeof identifier !== 'string' || typeof provider !== 'string') return null
  return { identifier, provider }
}
