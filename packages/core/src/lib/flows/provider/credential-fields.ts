import type { CredentialInput } from '../../providers/credentials.ts'

/** The attributes of a field for browsers and password managers, unless the application sets them. */
export function usualInput(name: string, { type }: CredentialInput): CredentialInput {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (type === 'password') return { autocomplete: 'current-password' }
  if (type === 'email' || plain === 'email') return { autocomplete: 'email' }
  if (type === 'tel') return { autocomplete: 'tel' }
  if (CODES.includes(plain)) return { autocomplete: 'one-time-code', inputmode: 'numeric' }
  if (NAMES.includes(plain)) return { autocomplete: 'username', autocapitalize: 'none' }
  return {}
}

/**
 * Whether a field asks who someone is, and nothing that only they know: it can be read on the
 * screen, and browsers fill it with a user name, an address or a phone number.
 */
export function asksWho(name: string, input: CredentialInput): boolean {
  const { type = 'text', autocomplete } = { ...usualInput(name, input), ...input }
  return (
    READABLE.includes(type) &&
    typeof autocomplete === 'string' &&
    autocomplete.split(/\s+/).some(word => WHO.includes(word.toLowerCase()))
  )
}

const CODES = [
  'code',
  'otp',
  'totp',
  'token',
  'pin',
  'onetimecode',
  'mfa',
  'twofactor',
  'twofactorcode',
]
const NAMES = ['username', 'user', 'login', 'name', 'identifier']
const READABLE = ['text', 'email', 'tel']
const WHO = ['username', 'email', 'tel']
