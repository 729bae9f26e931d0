import { Verification } from '../../base/errors.ts'
import type { LinkTokens } from '../../email/link-token.ts'

/** A link from a message, read from its URL or from the form behind it. */
export interface MailedLink {
  readonly token: string
  readonly identifier: string
}

/** A link that was read. */
export interface ReadLink extends MailedLink {
  /** When it was issued, by the clock of the store. Undefined if its token does not say so. */
  readonly startedAt: number | undefined
}

/**
 * Reads a link. Throws if its token was signed for another address or provider: a page shows only addresses that a
 * message was sent to.
 *
 * @param isUnsignedLink whether an unsigned link can be one of an older version, or of the application
 */
export async function requireLink(
  { token, email: identifier }: { readonly token?: unknown; readonly email?: unknown },
  tokens: LinkTokens,
  isUnsignedLink: (link: MailedLink) => boolean,
): Promise<ReadLink> {
  if (typeof token !== 'string' || typeof identifier !== 'string' || !token || !identifier) {
    throw new Verification('The link has no token or no address.')
  }
  const link = { token, identifier }
  const { kind, startedAt } = await tokens.read(token, identifier)
  if (kind === 'of another') {
    throw new Verification('The link was made for another address, or by another provider.')
  }
  if (kind === 'unsigned' && !isUnsignedLink(link)) {
    throw new Verification('The link has a token or an address of another form than ours.')
  }
  return { ...link, startedAt }
}
