import { readdirSync } from 'node:fs'
import type { OAuthConfig } from '@siteauth/core/providers'

/** Whatever a provider may need to be told. */
const told = {
  clientId: 'id',
  clientSecret: 'secret',
  issuer: 'https://id.example.com',
  accountID: 'account',
  tenantId: 'tenant',
  primaryUserFlow: 'flow',
  environment: 'sandbox',
}

/** Every provider that comes with the library and leads to another site. */
export async function builtInProviders(): Promise<OAuthConfig<never>[]> {
  const folder = new URL('../../src/providers/', import.meta.url)
  const files = readdirSync(folder).filter(file => !file.endsWith('.test.ts'))
  const modules = await Promise.all(
    files.map(file => import(new URL(file, folder).href) as Promise<{ default: unknown }>),
  )
  return modules.flatMap(({ default: make }): OAuthConfig<never>[] => {
    if (typeof make !== 'function') return []
    const provider: OAuthConfig<never> = make(told)
    return provider.type === 'oauth' || provider.type === 'oidc' ? [provider] : []
  })
}
