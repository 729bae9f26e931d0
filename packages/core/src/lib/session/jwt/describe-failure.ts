import type { OpenFailure } from '../../crypto/opened-token.ts'

/** Why a token was not opened, in words. */
export function describeFailure(failure: OpenFailure): string {
  switch (failure) {
    case 'unknown key':
      return 'no matching decryption secret: the token was sealed with another secret or for another cookie'
    case 'expired':
      return 'the token has expired'
    case 'premature':
      return 'the token is not valid yet'
    case 'unsupported':
      return 'the token uses an encryption that is not accepted'
    case 'forged':
      return 'decryption failed: the token was changed after it was sealed'
    case 'malformed':
      return 'the token is malformed'
  }
}
