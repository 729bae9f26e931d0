import type { EventCallbacks } from '../callbacks.ts'
import type { Adapter, AdapterUser } from '../model.ts'
import type { Linked } from './apply-link.ts'

/** The methods that signing in by email asks of an adapter. */
export type EmailRows = Required<Pick<Adapter, 'createUser' | 'updateUser'>>

/** Finds or makes the user of an address that has just been shown to belong to the visitor. */
export async function applyEmail(
  rows: EmailRows,
  events: Partial<EventCallbacks>,
  arrival: {
    readonly email: string
    readonly userByEmail: AdapterUser | null
    readonly now: number
  },
): Promise<Linked> {
  const { email, userByEmail, now } = arrival
  if (userByEmail?.emailVerified) return { user: userByEmail, isNewUser: false }
  const emailVerified = new Date(now)
  if (userByEmail) {
    const user = await rows.updateUser({ id: userByEmail.id, emailVerified })
    await events.updateUser?.({ user })
    return { user, isNewUser: false }
  }
  const user = await rows.createUser({ id: crypto.randomUUID(), email, emailVerified })
  await events.createUser?.({ user })
  return { user, isNewUser: true }
}
