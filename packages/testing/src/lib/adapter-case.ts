import type { Adapter } from '@siteauth/core/adapters'

/** The name of an adapter's method. */
export type Method = keyof Adapter

/** A part that an adapter may lack: a method, a part of its log of what was ended, or an addition to the contract. */
export type Need = Method | 'revocations.watch' | 'issuers'

/** An adapter as a case sees it: whatever the case says that it needs is there. */
export type RequiredAdapter = Required<Adapter>

/** One sentence about every adapter, and how it is shown. */
export interface AdapterCase {
  readonly name: string
  readonly needs: readonly Need[]
  readonly run: (adapter: RequiredAdapter) => Promise<void>
}
