import type { User } from '@siteauth/core/types'

/** A session, as components and handlers see it. */
export interface TestSession<Person extends User> {
  user: Person
  expires: string
}

/**
 * A session to give to a stand-in. It ends in 30 days, unless something else is said.
 *
 * @example
 * ```ts
 * import { sessionOf } from '@siteauth/testing'
 *
 * export const ada = sessionOf({ name: 'Ada', email: 'ada@example.com' })
 * export const over = sessionOf({ name: 'Ben' }, { expires: new Date('2020-01-01') })
 * ```
 */
export function sessionOf<Person extends User>(
  user: Person,
  { expires = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000) }: { expires?: Date } = {},
): TestSession<Person> {
  return { user, expires: expires.toISOString() }
}
