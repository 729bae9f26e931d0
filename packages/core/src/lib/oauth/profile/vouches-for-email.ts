import { isSameAddress, readAddress } from '../../base/email-address.ts'
import { OAuthProfileParseError } from '../../base/errors.ts'
import type { Profile, User } from '../../base/user.ts'
import type { ProfileField } from '../../providers/oauth.ts'
import { readPath } from '../../providers/template.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'

/**
 * Whether the provider states that the person has proved to own this very address. A mapping may take the address
 * from elsewhere, such as a name that people choose, and the provider has not vouched for that one.
 */
export function vouchesForEmail(
  provider: Pick<ResolvedOAuthProvider, 'id' | 'emailVerified' | 'emailField'>,
  profile: Profile,
  user: Pick<User, 'email'>,
): boolean {
  const address = readAddress(user.email)
  if (!address) return false
  const { emailVerified, emailField } = provider
  const word =
    typeof emailVerified === 'boolean'
      ? emailVerified
      : read(provider, 'emailVerified', emailVerified, profile)
  // Nothing else counts: 1 and "yes" may mean anything.
  if (word !== true && word !== 'true') return false
  return [read(provider, 'emailField', emailField, profile)]
    .flat()
    .some(each => isSameAddress(readAddress(each), address))
}

function read(
  { id }: Pick<ResolvedOAuthProvider, 'id'>,
  option: string,
  field: ProfileField<Profile>,
  profile: Profile,
): unknown {
  // A claim may be named by a URL, which has dots of its own.
  if (typeof field === 'string') {
    return Object.hasOwn(profile, field) ? profile[field] : readPath(profile, field)
  }
  try {
    return field(profile)
  } catch (error) {
    const err = error instanceof Error ? error : new Error(String(error))
    throw new OAuthProfileParseError(`${option}() of ${JSON.stringify(id)} threw: ${err.message}`, {
      cause: { err, provider: id },
    })
  }
}
