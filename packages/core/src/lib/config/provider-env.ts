import { providerVariable } from '../providers/complete-provider.ts'
import type { Env } from './env.ts'
import { nonEmpty } from './non-empty.ts'

/** What the environment says of one provider. */
export interface ProviderEnv {
  clientId?: string
  clientSecret?: string
  issuer?: string
  apiKey?: string
}

/** `AUTH_<ID>_ID` and so on, where the id is in upper case with `_` for `-`. */
export function readProviderEnv(env: Env, id: string): ProviderEnv {
  const found: ProviderEnv = {}
  const clientId = nonEmpty(env[providerVariable(id, 'ID')])
  const clientSecret = nonEmpty(env[providerVariable(id, 'SECRET')])
  const issuer = nonEmpty(env[providerVariable(id, 'ISSUER')])
  const apiKey = nonEmpty(env[providerVariable(id, 'KEY')])
  if (clientId !== undefined) found.clientId = clientId
  if (clientSecret !== undefined) found.clientSecret = clientSecret
  if (issuer !== undefined) found.issuer = issuer
  if (apiKey !== undefined) found.apiKey = apiKey
  return found
}
