/** The variable of a provider: `AUTH_<ID>_<WHAT>`, where the id is in upper case with `_` for `-`. */
export function providerVariable(id: string, what: 'ID' | 'SECRET' | 'ISSUER' | 'KEY'): string {
  return `AUTH_${id.toUpperCase().replaceAll('-', '_')}_${what}`
}
