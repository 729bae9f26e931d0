import type { AuthConfig } from '@siteauth/core'
import type { IntegrationConfig } from '@siteauth/core/integration'
import type { RequestEvent } from '@sveltejs/kit'
import { building } from '$app/environment'
import type { SvelteKitAuthConfig } from './sveltekit-auth.ts'

/** Where the configuration comes from. */
interface Source<Token, Sess, Exposed extends string> {
  readonly config: IntegrationConfig<RequestEvent, Token, Sess, Exposed>
  /** Waits for it, where it is made of the first request. */
  learn(event: RequestEvent): Promise<void>
}

export function sourceOf<Token, Sess, Exposed extends string>(
  given: SvelteKitAuthConfig<Token, Sess, Exposed>,
): Source<Token, Sess, Exposed> {
  if (typeof given !== 'function') {
    return { config: given, learn: async () => {} }
  }
  let config: AuthConfig<Token, Sess, Exposed> | undefined
  let asking: Promise<AuthConfig<Token, Sess, Exposed>> | undefined
  return {
    config() {
      if (config) return config
      // There are no requests yet, and no variables: all that is asked is where the endpoints are.
      if (building) return { providers: [] }
      throw new TypeError('The configuration is made of a request, and none has come yet.')
    },
    async learn(event) {
      asking ??= Promise.resolve(given(event))
      try {
        config = await asking
      } catch (error) {
        // The next request may have what this one lacked.
        asking = undefined
        throw error
      }
    },
  }
}
