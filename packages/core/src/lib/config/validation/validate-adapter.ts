import type { Adapter } from '../../base/adapter.ts'
import { type AuthError, MissingAdapter, MissingAdapterMethods } from '../../base/errors.ts'
import { isOAuth } from '../../providers/is-oauth.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { NEEDED } from '../needed-methods.ts'
import type { AuthConfig } from '../options.ts'
import { strategyOf } from '../session-readers.ts'

/** The methods that the adapter lacks, by the feature that needs them. */
export function adapterProblems(
  providers: readonly ProviderObject[],
  options: AuthConfig,
): AuthError[] {
  const strategy = strategyOf(options)
  const needs: { readonly feature: string; readonly methods: readonly (keyof Adapter)[] }[] = []
  if (strategy === 'database') {
    needs.push({ feature: 'database sessions', methods: NEEDED.database })
  }
  for (const type of ['email', 'webauthn', 'password'] as const) {
    if (providers.some(each => each.type === type)) {
      needs.push({ feature: `a provider of type ${type}`, methods: NEEDED[type] })
    }
  }
  const { adapter } = options
  if (adapter && strategy === 'jwt' && providers.some(isOAuth)) {
    needs.push({ feature: 'a provider of type oauth or oidc', methods: NEEDED.oauth })
  }
  return needs.flatMap(({ feature, methods }): AuthError[] => {
    if (!adapter) return [new MissingAdapter(`Set \`adapter\`: ${feature} needs a database.`)]
    const missing = methods.filter(method => !adapter[method])
    if (missing.length === 0) return []
    return [
      new MissingAdapterMethods(`The adapter lacks what ${feature} needs: ${missing.join(', ')}.`),
    ]
  })
}
