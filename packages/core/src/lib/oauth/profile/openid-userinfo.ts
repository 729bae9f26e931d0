import * as oauth from 'oauth4webapi'
import type { Profile } from '../../base/user.ts'
import { tokenOf, verifySignature } from '../id-token/verify-signature.ts'
import { clientAt, withoutSecrets } from '../protocol-library.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import type { Server } from '../provider/server.ts'

/** OIDC Core §5.3: JSON or a signed token, and about the one who signed in. */
export function readClaims(...args: Parameters<typeof read>): Promise<Profile> {
  return withoutSecrets(() => read(...args))
}

async function read(
  provider: Pick<ResolvedOAuthProvider, 'client' | 'clientFacts'>,
  response: Response,
  subject: string,
  server: Server,
  now: number,
): Promise<Profile> {
  const { metadata } = server
  const client = clientAt(provider.client, now)
  const isToken = isJwt(response)
  const token = isToken ? await response.clone().text() : ''
  const profile = await oauth.processUserInfoResponse(metadata, client, subject, response)
  if (isToken) {
    await verifySignature(token, {
      verify: tokenOf(response),
      server,
      keyUse: 'response',
      clientSecret: provider.clientFacts.clientSecret,
      registeredAlg: client.userinfo_signed_response_alg,
    })
  }
  return { ...profile }
}

function isJwt(response: Response): boolean {
  return response.headers.get('content-type')?.split(';')[0]?.trim() === 'application/jwt'
}
