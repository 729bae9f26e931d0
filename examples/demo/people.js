import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(scrypt)

// Made from "open sesame". In an application of your own this is a column of the table of users.
const people = {
  'ada@example.com': {
    name: 'Ada Lovelace',
    salt: 'a-salt-for-each-person',
    hash: '19af0ab962a7f56a6947fc629fa33f8eacb03cc23fe28e95c69416f132557a7e',
  },
}
const nobody = { name: '', salt: '-', hash: '' }

/**
 * Whose password it is; null where it is nobody's.
 *
 * @param {import('@siteauth/core/adapters').Adapter} adapter
 * @param {unknown} email
 * @param {unknown} password
 */
export async function checkPassword(adapter, email, password) {
  if (typeof email !== 'string' || typeof password !== 'string') return null
  const person = people[email] ?? nobody
  // Also for an address that is unknown, so that the time does not tell.
  const hash = await derive(password, person.salt, 32)
  const stored = Buffer.from(person.hash, 'hex')
  if (stored.length !== hash.length || !timingSafeEqual(stored, hash)) return null
  const known = await adapter.getUserByEmail(email)
  // The address stands in the list above, so it is known to be hers. If people sign up with an address
  // that they type, leave this null until they have opened a link that you sent there.
  const emailVerified = new Date()
  return known ?? adapter.createUser({ id: email, name: person.name, email, emailVerified })
}
