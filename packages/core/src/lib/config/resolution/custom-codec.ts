import { definedMembers } from '../../base/defined-members.ts'
import type { JWT } from '../../base/session.ts'
import { saltFor } from '../../crypto/keys.ts'
import { decode, encode, type JWTOptions } from '../../session/jwt/jwt.ts'
import type { TokenCodec } from '../../session/jwt/jwt-session.ts'
import type { AuthConfig } from '../options.ts'
import { type Readers, tokenMaxAge, tokenSecrets } from '../session-readers.ts'

/** Our own sealing with either half replaced, if the application has its own; otherwise undefined. */
export function ownCodec(
  options: AuthConfig,
  secrets: readonly string[],
  cookieName: string,
  { sealerFor }: Readers,
  now: () => number,
): TokenCodec | undefined {
  const { cacheBytes: _, ...jwt } = options.jwt ?? {}
  const { encode: ownEncode, decode: ownDecode } = jwt
  if (!ownEncode && !ownDecode) return undefined
  const maxAge = tokenMaxAge(options)
  const salt = saltFor(cookieName, options.session)
  const shared: JWTOptions = {
    secret: asConfigured(tokenSecrets(options, secrets)),
    maxAge,
    encode,
    decode,
    ...definedMembers(jwt),
  }
  // Ours has another key for each audience. The application's own may not look at the salt.
  const { audience } = options.session ?? {}
  const withAudience = (claims: JWT) =>
    audience === undefined ? claims : { ...claims, aud: audience }
  return {
    isOwn: true,
    seal: ownEncode
      ? (claims, age = maxAge) =>
          ownEncode({ ...shared, maxAge: age, token: withAudience(claims), salt })
      : (claims, age = maxAge) => sealerFor(cookieName).seal(claims, age, now()),
    open: ownDecode
      ? async token => {
          try {
            const claims = await ownDecode({ ...shared, token, salt })
            if (audience !== undefined && claims?.['aud'] !== audience) return 'malformed'
            return claims ? { claims, text: JSON.stringify(claims) } : 'malformed'
          } catch {
            return 'malformed' // the application's way to say that a token is not valid
          }
        }
      : (token, time) => sealerFor(cookieName).open(token, time),
  }
}

/** A single secret as a text, since that is what the application's own functions are used to. */
function asConfigured(secrets: readonly string[]): string | string[] {
  const [only = ''] = secrets
  return secrets.length === 1 ? only : [...secrets]
}
