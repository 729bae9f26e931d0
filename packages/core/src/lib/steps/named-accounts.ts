import type { Fields } from '../http/incoming.ts'
import type { CredentialsConfig } from '../providers/credentials.ts'
import { asksWho } from './usual-input.ts'

/**
 * Whom somebody says to be, by each field of a form that asks for it. One by one: which of them an
 * application goes by is not known, and the others may be anything.
 */
export function namedAccounts({ credentials }: CredentialsConfig, body: Fields): readonly string[] {
  return Object.entries(credentials ?? {}).flatMap(([name, input]) => {
    const text = asksWho(name, input) ? textOf(body[name]) : ''
    return text === '' ? [] : [text]
  })
}

/** What an application may make of a value, be it a list of one. */
function textOf(value: unknown): string {
  try {
    return value === undefined || value === null ? '' : String(value)
  } catch {
    return 'an object'
  }
}
