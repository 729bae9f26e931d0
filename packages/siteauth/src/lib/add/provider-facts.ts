/** What is known of a provider without loading it. */
export interface ProviderFacts {
  /** The module under `providers/`. */
  readonly module: string
  readonly id: string
  /** What it is called in code. */
  readonly name: string
  readonly title: string
  /** Where its own documentation tells how to register an application. */
  readonly docs: string
  /** An example of its issuer, if each customer has their own. */
  readonly issuer?: string
  readonly status?: 'closed' | 'deprecated' | 'legacy'
  /** What to use in its place. */
  readonly instead?: string
  readonly notes?: readonly string[]
  /** Options that only it takes. */
  readonly options?: readonly string[]
}
