import type { ProviderFacts } from './provider-facts.ts'

/** A variable that a provider is set up with. */
export interface ProviderVariable {
  readonly name: string
  readonly meaning: string
}

/** The variables of a provider. */
export function providerVariables({
  id,
  title,
  issuer,
  options,
}: ProviderFacts): readonly ProviderVariable[] {
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  return [
    { name: `${prefix}_ID`, meaning: `the client id that ${title} gives you` },
    { name: `${prefix}_SECRET`, meaning: 'the client secret' },
    ...(issuer ? [{ name: `${prefix}_ISSUER`, meaning: `the issuer, such as ${issuer}` }] : []),
    ...(options?.includes('apiKey') ? [{ name: `${prefix}_KEY`, meaning: 'the API key' }] : []),
  ]
}
