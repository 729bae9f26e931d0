import type { Fields } from '../http/incoming.ts'
import type { CredentialsConfig } from '../providers/credentials.ts'
import { asksWho } from './usual-input.ts'

/** What forms call the field that asks who somebody is, where a provider does not list its fields. */
const USUAL_NAMES = ['username', 'email', 'login', 'user', 'name', 'identifier', 'phone']

/**
 * Whom somebody says to be, by each field of a form that asks for it. One by one: which of them an
 * application goes by is not known, and the others may be anything.
 */
export function namedAccounts({ credentials }: CredentialsConfig, body: Fields): readonly string[] {
  const asked = Object.entries(credentials ?? {}).flatMap(([name, input]) =>
    asksWho(name, input) ? [name] : [],
  )
  const names = asked.length > 0 ? asked : USUAL_NAMES
  return names.map(name => textOf(body[name])).filter(text => text !== '')
}

/** What an application may make of a value, be it a list of one. */
function textOf(value: unknown): string {
  try {
    return value === undefined || value === null ? '' : String(value)
  } catch {
    return 'an object'
  }
}
