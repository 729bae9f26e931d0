import { primitives } from '#crypto'
import type { EmailRows } from '../account/apply-email.ts'
import type { Adapter } from '../base/model.ts'
import type { ResolvedConfig } from '../config/resolved.ts'
import { createEmailTokens, type EmailTokens } from '../email/token.ts'
import type { EmailConfig } from '../providers/email.ts'
import { isOwnMark } from './browser-mark.ts'
import { claimableRows } from './claimable-rows.ts'
import type { Incoming } from './incoming.ts'

/** What signing in by email asks of a store. */
export type EmailStore = Required<
  Pick<Adapter, 'createVerificationToken' | 'useVerificationToken'>
> &
  EmailRows

/** The store. That it has the methods was checked when the configuration was. */
export function emailRows(config: ResolvedConfig): EmailStore {
  return claimableRows(config, config.adapter ?? {}) as EmailStore
}

/** How the tokens of a provider are hashed. */
export function emailTokensFor(config: ResolvedConfig, provider: EmailConfig): EmailTokens {
  const { secret } = provider
  const secrets = secret ? config.bindSecrets([secret]) : config.secrets
  return createEmailTokens(primitives, secrets)
}

/** A link that a browser asked for. */
interface AskedForLink {
  readonly identifier: string
  readonly provider: string
  /** Whether the session is to outlast the browser, as far as the visitor said. */
  readonly remember: boolean | undefined
}

/** For which address this browser last asked for a link, and of which provider. */
export async function emailAskedFor(
  config: ResolvedConfig,
  request: Incoming,
): Promise<AskedForLink | null> {
  const { name } = request.cookieOptions.emailRequest
  const sealed = request.cookies[name]
  const opened = sealed && (await config.sealerFor(name).open(sealed, config.ports.now()))
  if (!opened || typeof opened === 'string') return null
  const { identifier, provider, browser, remember } = opened.claims as Readonly<
    Record<string, unknown>
  >
  if (typeof identifier !== 'string' || typeof provider !== 'string') return null
  const mark = typeof browser === 'string' ? browser : undefined
  if (!(await isOwnMark(config, request, mark))) return null
  return {
    identifier,
    provider,
    remember: typeof remember === 'boolean' ? remember : undefined,
  }
}
