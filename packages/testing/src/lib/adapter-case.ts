import type { Adapter } from '@siteauth/core/adapters'

/** The name of an adapter's method. */
export type Method = keyof Adapter

/** What an adapter may have or not: a method, or a part of its log of what was ended. */
export type Need = Method | 'revocations.watch'

/** An adapter as a case sees it: whatever the case says that it needs is there. */
export type RequiredAdapter = Required<Adapter>

/** One sentence about every adapter, and how it is shown. */
export interface AdapterCase {
  readonly name: string
  readonly needs: readonly Need[]
  readonly run: (adapter: RequiredAdapter) => Promise<void>
}
