import type { SessionConfig } from '@siteauth/core/integration'
import type { NextAuthCallbacks } from './auth-config.ts'

/** The application's `authorized`, if it has one. */
export function authorizedOf(
  config: SessionConfig | undefined,
): NextAuthCallbacks['authorized'] | undefined {
  // Next's configuration has one more than the engine's, which passes it through.
  return (config?.callbacks as Partial<NextAuthCallbacks> | undefined)?.authorized
}
