/** The values that may be found for a provider after it was called, such as `AUTH_<ID>_ISSUER`. */
export type FoundOptions = Readonly<Record<string, string>>

type Builder = (found: FoundOptions) => object

// On the object itself, and in the global registry: the code that completes it may be of another copy of this
// package. Not enumerable, so that an object that an application copied and changed is not undone.
const builder = Symbol.for('siteauth.provider-builder')

/** Remembers how a provider was made. */
export function rememberBuilder(provider: object, build: Builder): void {
  Object.defineProperty(provider, builder, { value: build })
}

/**
 * Builds a provider again with values that were found after it was called. The application's own values win. Returns
 * the same object if it was not made here.
 *
 * Needed because URLs depend on options: `Mastodon({ profile })` has no endpoints until the issuer
 * is known, and Entra would take its default issuer, which admits every tenant.
 */
export function completeProvider<T extends object>(provider: T, found: FoundOptions): T {
  // Sound: a builder makes what it was registered for.
  const { [builder]: build } = provider as { [builder]?: Builder }
  return (build?.(found) as T | undefined) ?? provider
}

/** The variable of a provider: `AUTH_<ID>_<WHAT>`, where the id is in upper case with `_` for `-`. */
export function providerVariable(id: string, what: 'ID' | 'SECRET' | 'ISSUER' | 'KEY'): string {
  return `AUTH_${id.toUpperCase().replaceAll('-', '_')}_${what}`
}
