import { primitives } from '#crypto'
import type { ResolvedConfig } from '../config/resolved.ts'
import { createEmailTokens, type EmailTokens } from '../email/token.ts'
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
