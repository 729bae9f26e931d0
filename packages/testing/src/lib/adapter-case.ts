import type { Adapter } from '@siteauth/core/adapters'

/** The name of an adapter's method. */
export type Method = keyof Adapter

/** An adapter as a case sees it: whatever the case says that it needs is there. */
export type RequiredAdapter = Required<Adapter>

/** One sentence about every adapter, and how it is shown. */
export interface AdapterCase {
  readonly name: string
  readonly needs: readonly Method[]
  readonly run: (adapter: RequiredAdapter) => Promise<void>
}
