import { expect, it } from 'vitest'
import { passwordProblems } from '../config/validation/validate-passwords.ts'
import type { PasswordConfig } from '../providers/password.ts'
import { createHasher } from './hasher.ts'
import { completeHashing, completeRules, passwordLinkMaxAge } from './password-defaults.ts'

const provider: PasswordConfig = { id: 'pass', name: 'Password', type: 'password', mail() {} }

it('passes the check of the configuration', () => {
  expect(passwordProblems(provider)).toEqual([])
  const maxAge = passwordLinkMaxAge(provider)
  const given = { ...provider, maxAge, rules: completeRules({}), hashing: completeHashing({}) }
  expect(passwordProblems(given)).toEqual([])
})

const costs = [
  ...Object.keys(completeHashing({}).scryptCost).map(name => ['scryptCost', name] as const),
  ...Object.keys(completeHashing({}).argon2Cost).map(name => ['argon2Cost', name] as const),
]

it.each(costs)('of %s.%s holds for undefined, in the check and in use', (cost, name) => {
  const hashing = { [cost]: { [name]: undefined } }
  expect(passwordProblems({ ...provider, hashing })).toEqual([])
  expect(completeHashing(hashing)).toEqual(completeHashing({}))
})

it('hashes with the cost that was checked', async () => {
  const scryptCost = { ln: 4, r: undefined as never, p: undefined as never }
  const hash = await createHasher({ algorithm: 'scrypt', scryptCost }).hash('a password')
  expect(hash).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/)
})
