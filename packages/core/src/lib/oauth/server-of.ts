import type { ResolvedOAuthProvider } from './resolve-provider.ts'

/**
 * The server behind a provider: its issuer or, without one, its token endpoint. Two configurations may
 * call different servers by one id, and what one of them says is not the other's word.
 */
export function serverOf({
  issuer,
  discovery,
  token,
}: Pick<ResolvedOAuthProvider, 'issuer' | 'discovery' | 'token'>): string | undefined {
  return issuer ?? discovery?.url ?? token.url
}
