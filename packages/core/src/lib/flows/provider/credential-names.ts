import type { Fields } from '../../http/request.ts'
import type { CredentialsConfig } from '../../providers/credentials.ts'
import { asksWho } from './credential-fields.ts'

/** The usual names of the field with the user's name, if a provider does not list its fields. */
const USUAL_NAMES = ['username', 'email', 'login', 'user', 'name', 'identifier', 'phone']

/**
 * The accounts that a form names, by each field for a name. One by one: the application goes by an unknown one of
 * them, and the others may be anything. Each with the provider: a name that anyone can take here may be the address
 * of a user there.
 */
export function namedAccounts(
  { id, credentials }: CredentialsConfig,
  body: Fields,
): readonly string[] {
  const fields = Object.entries(credentials ?? {}).flatMap(([name, input]) =>
    asksWho(name, input) ? [name] : [],
  )
  const names = fields.length > 0 ? fields : USUAL_NAMES
  const texts = names.map(name => textOf(body[name]).trim()).filter(text => text !== '')
  // Once each, however many fields have it.
  return [...new Set(texts)].map(text => `${id} ${text}`)
}

/**
 * The name that a user has proved to own. Undefined if the form had several: the application went by one of them, and
 * the others may be those of other users.
 */
export function provenName(provider: CredentialsConfig, body: Fields): string | undefined {
  const [name, ...others] = namedAccounts(provider, body)
  return others.length === 0 ? name : undefined
}

/** The text that an application may make of a value, even of a list of one. */
function textOf(value: unknown): string {
  try {
    return value === undefined || value === null ? '' : String(value)
  } catch {
    return 'an object'
  }
}
