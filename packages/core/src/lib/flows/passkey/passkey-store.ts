import { primitives } from '#crypto'
import type { StoreFor } from '../../config/needed-methods.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { toBase64Url } from '../../crypto/encoding.ts'
import { createUserHandles, type UserHandles } from '../../webauthn/user-handle.ts'

/** An adapter that can store passkeys. */
export type PasskeyStore = StoreFor<'webauthn'>

/** The store. That it has the methods was checked when the configuration was. */
export function passkeyStore({ adapter }: ResolvedConfig): PasskeyStore {
  return adapter as PasskeyStore
}

/** The handles that devices keep for users. */
export function userHandles({ secrets }: ResolvedConfig): UserHandles {
  return createUserHandles(primitives, secrets)
}

/** Stands for a key in a sealed challenge, where long ids would not fit. */
export async function credentialDigest(id: string): Promise<string> {
  return toBase64Url(await primitives.digest('SHA-256', id)).slice(0, 22)
}
