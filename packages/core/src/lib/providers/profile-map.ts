import type { TokenSet, User } from '../base/user.ts'
import { fillTemplate, readPath, textOf } from './template.ts'

/**
 * Where a field of a user is found in a profile: at a path, at the first of several places that
 * says something, as several paths joined by spaces, as a template, or by a function. Null if
 * the provider never tells.
 */
type ProfileSource<P> =
  | string
  | readonly ProfileSource<P>[]
  | { readonly join: readonly string[] }
  | { readonly template: string }
  | ((profile: P, tokens: TokenSet) => string | null | undefined)
  | null

/** Which parts of a profile make a user. Names beyond the first four are kept on the user too. */
export interface ProfileMap<P> {
  readonly id: ProfileSource<P>
  readonly name: ProfileSource<P>
  readonly email: ProfileSource<P>
  readonly image: ProfileSource<P>
  readonly [field: string]: ProfileSource<P>
}

/** The standard claims of OpenID Connect. */
export const STANDARD_CLAIMS: ProfileMap<unknown> = {
  id: ['sub', 'id'],
  name: ['name', 'nickname', 'preferred_username'],
  email: 'email',
  image: 'picture',
}

/**
 * Turns a profile into a user. Throws if the profile does not say who it is: an invented id
 * would make a new account at every sign-in.
 */
export function mapProfile<P>(map: ProfileMap<P>, profile: P, tokens: TokenSet): User {
  const user: Record<string, string | null> = {}
  for (const [field, source] of Object.entries(map))
    user[field] = findField(source, profile, tokens)
  if (user['id'] === null) {
    throw new TypeError(`expected the profile to have an id at ${JSON.stringify(map.id)}`)
  }
  return user
}

/** The value of a profile at the first of these places that has one; null if none has. */
export function findField<P>(
  source: ProfileSource<P>,
  profile: P,
  tokens: TokenSet,
): string | null {
  if (source === null) return null
  if (typeof source === 'string') return textOf(readPath(profile, source))
  if (typeof source === 'function') return textOf(source(profile, tokens))
  if (isList(source)) {
    for (const each of source) {
      const found = findField(each, profile, tokens)
      if (found !== null) return found
    }
    return null
  }
  if ('template' in source) return fillTemplate(source.template, profile) ?? null
  const parts = source.join.map(path => textOf(readPath(profile, path)))
  return textOf(parts.filter(part => part !== null).join(' '))
}

// `Array.isArray` does not narrow a union that has a readonly array.
function isList<P>(source: ProfileSource<P>): source is readonly ProfileSource<P>[] {
  return Array.isArray(source)
}
