/** What may be found for a provider after it was called: `AUTH_<ID>_ISSUER` and its like. */
export type FoundOptions = Readonly<Record<string, string>>

// By identity, so that an object that an application copied and changed is not undone.
const builders = new WeakMap<object, (found: FoundOptions) => object>()

/** Remembers how a provider was made. */
export function rememberBuilder(provider: object, build: (found: FoundOptions) => object): void {
  builders.set(provider, build)
}

/**
 * Builds a provider again with values that were found after it was called. What the application
 * wrote wins. Answers the same object if it was not made here.
 *
 * Needed because URLs depend on options: `Mastodon({ profile })` has no endpoints until the issuer
 * is known, and Entra would take its default issuer, which admits every tenant.
 */
export function completeProvider<T extends object>(provider: T, found: FoundOptions): T {
  // Sound: a builder makes what it was registered for.
  return (builders.get(provider)?.(found) as T | undefined) ?? provider
}
