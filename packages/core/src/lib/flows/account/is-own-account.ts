import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { hasIssuer } from '../../oauth/provider/has-issuer.ts'
import { isOAuth } from '../../providers/is-oauth.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'

/**
 * Whether an account is one of a provider of this configuration. Another configuration with the same store may use the id
 * for another issuer, whose tokens are not to be sent here.
 */
export function isOwnAccount(
  config: ResolvedConfig,
  {
    provider: id,
    issuer,
  }: { readonly provider: string; readonly issuer?: string | null | undefined },
): boolean {
  const provider = config.providers.get(id)
  if (!issuer || !provider || !isOAuth(provider)) return true
  try {
    return hasIssuer(oauthRuntime(config).resolve(provider as OAuthConfig<never>), issuer)
  } catch {
    return true // a provider that cannot work is sent nothing
  }
}
