import type { Fields } from '../../http/request.ts'
import type { CredentialsConfig } from '../../providers/credentials.ts'
import { asksWho } from './credential-fields.ts'

/** What forms call the field that asks who somebody is, where a provider does not list its fields. */
const USUAL_NAMES = ['username', 'email', 'login', 'user', 'name', 'identifier', 'phone']

/**
 * Whom somebody says to be, by each field of a form that asks for it. One by one: which of them an
 * application goes by is not known, and the others may be anything. Each with the provider: a name that anybody
 * can take here may be the address of somebody there.
 */
export function namedAccounts(
  { id, credentials }: CredentialsConfig,
  body: Fields,
): readonly string[] {
  const asked = Object.entries(credentials ?? {}).flatMap(([name, input]) =>
    asksWho(name, input) ? [name] : [],
  )
  const names = asked.length > 0 ? asked : USUAL_NAMES
  const texts = names.map(name => textOf(body[name]).trim()).filter(text => text !== '')
  // Once each, however many fields have it.
  return [...new Set(texts)].map(text => `${id} ${text}`)
}

/**
 * The name by which somebody has shown to be themselves. None if they gave several: the application went by one
 * of them, and the others may be those of somebody else.
 */
export function provenName(provider: CredentialsConfig, body: Fields): string | undefined {
  const [name, ...others] = namedAccounts(provider, body)
  return others.length === 0 ? name : undefined
}

/** What an application may make of a value, be it a list of one. */
function textOf(value: unknown): string {
  try {
    return value === undefined || value === null ? '' : String(value)
  } catch {
    return 'an object'
  }
}
