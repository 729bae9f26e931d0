import type { ProviderType } from '../base/model.ts'

/** What all providers have. */
export interface CommonProviderOptions {
  /** Identifies the provider in URLs, in the database and in environment variables. */
  id: string
  /** Shown on the sign-in page. */
  name: string
  type: ProviderType
}
