/** Claims of a token. */
export type Claims = Record<string, unknown>

/** A token that was opened: its claims, and their exact text, which tells whether they changed. */
export interface Opened {
  readonly claims: Claims
  readonly text: string
}

/** Why a token was not opened. */
export type OpenFailure =
  /** Not a token of this form at all. */
  | 'malformed'
  /** Encrypted in a way that we neither issue nor accept. */
  | 'unsupported'
  /** Sealed with none of the secrets, or for another purpose. */
  | 'unknown key'
  /** Changed after it was sealed. */
  | 'forged'
  | 'expired'
  /** To be used only later. */
  | 'premature'

/** An object, or null for all else that JSON can be. */
export function asObject(value: unknown): Claims | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Claims) // an object that JSON made: its members are unknown, as in Claims
    : null
}
