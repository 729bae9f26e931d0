import { parseEnteredAddress, readAddress } from '../../base/email-address.ts'
import { EmailSignInError } from '../../base/errors.ts'
import type { EmailConfig } from '../../providers/email.ts'

/** The address that was entered. Throws an `EmailSignInError` if it is not one. */
export function addressOf(provider: EmailConfig, input: unknown): string {
  const { normalizeIdentifier } = provider
  if (!normalizeIdentifier) {
    const address = parseEnteredAddress(input)
    if (address === null)
      throw new EmailSignInError('What was entered is not a single email address.')
    return address
  }
  let identifier: unknown
  try {
    identifier = normalizeIdentifier.call(provider, typeof input === 'string' ? input : '')
  } catch (error) {
    throw new EmailSignInError('normalizeIdentifier refused the address.', { cause: error })
  }
  if (typeof identifier === 'string' && isOneRecipient(identifier)) return identifier
  throw new EmailSignInError('What normalizeIdentifier returned is not a single email address.')
}

/** Applications may write addresses in capitals, or send to phone numbers; but to one at a time. */
function isOneRecipient(identifier: string): boolean {
  if (identifier.includes('@')) return readAddress(identifier) !== null
  return identifier !== '' && !/\p{C}|=\?/u.test(identifier)
}

/** Whether a text is an address that a link of this provider can have. */
export function isIdentifier(provider: EmailConfig, text: string): boolean {
  try {
    return addressOf(provider, text) === text
  } catch {
    return false
  }
}
