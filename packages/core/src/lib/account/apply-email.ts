import type { Adapter, AdapterUser } from '../base/adapter.ts'
import type { EventCallbacks } from '../base/callbacks.ts'
import { CallbackRouteError } from '../base/errors.ts'
import { uuidFrom } from '../crypto/random.ts'
import { type ClaimMethods, claimAddress, releaseLookAlike } from './claim-address.ts'
import { findByAddress } from './find-by-address.ts'
import type { Linked } from './provider-sign-in.ts'

/** The methods that signing in by email asks of an adapter, and those that it uses where they are there. */
export type EmailMethods = Required<Pick<Adapter, 'createUser' | 'updateUser' | 'getUserByEmail'>> &
  ClaimMethods

/** How often it is decided again because another link, or another way in, was quicker. */
const ATTEMPTS = 4

/** Finds or makes the user of an address that has just been proved to be the visitor's. */
export async function applyEmail(
  rows: EmailMethods,
  events: Partial<EventCallbacks>,
  proof: {
    readonly email: string
    readonly userByEmail: AdapterUser | null
    readonly now: () => number
    readonly randomHex: (bytes: number) => string
  },
): Promise<Linked> {
  let { userByEmail } = proof
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const linked = userByEmail
      ? await moveIn(rows, events, userByEmail, proof)
      : await create(rows, events, proof)
    if (linked) return linked
    userByEmail = await findByAddress(rows, proof.email)
  }
  throw new CallbackRouteError('The user with this address kept changing during the sign-in.')
}

type Proof = Omit<Parameters<typeof applyEmail>[2], 'userByEmail'>

/** Null if the row that had the address has given it up. */
async function moveIn(
  rows: EmailMethods,
  events: Partial<EventCallbacks>,
  user: AdapterUser,
  { email, ...ports }: Proof,
): Promise<Linked | null> {
  if (user.emailVerified) return { user, isNewUser: false }
  const claim = { earlier: user, address: email, canTakeOver: true, ...ports }
  const owned = await claimAddress(rows, events, claim)
  if (!owned) return null
  await events.updateUser?.({ user: owned })
  return { user: owned, isNewUser: false }
}

/** Null if someone has the address by now: the same person, by another link or another way in. */
async function create(
  rows: EmailMethods,
  events: Partial<EventCallbacks>,
  { email, now, randomHex }: Proof,
): Promise<Linked | null> {
  const newUser = { id: uuidFrom(randomHex(16)), email, emailVerified: new Date(now()) }
  try {
    const user = await rows.createUser(newUser)
    await events.createUser?.({ user })
    return { user, isNewUser: true }
  } catch (error) {
    if (await findByAddress(rows, email)) return null
    if (await releaseLookAlike(rows, events, { address: email, randomHex })) return null
    throw error
  }
}
