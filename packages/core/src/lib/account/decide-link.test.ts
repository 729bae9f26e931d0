import { describe, expect, it } from 'vitest'
import type { AdapterUser } from '../base/adapter.ts'
import { decideLink, isSameUser, type LinkDecision, type LinkFacts } from './decide-link.ts'

const ann: AdapterUser = { id: 'ann', email: 'ann@example.com', emailVerified: null }
const bob: AdapterUser = { id: 'bob', email: 'bob@example.com', emailVerified: null }

/** Somebody who has proved the address. */
const eve: AdapterUser = { id: 'eve', email: 'eve@example.com', emailVerified: new Date() }

const nobody: LinkFacts = {
  userByAccount: null,
  addTo: null,
  userByEmail: null,
  isEmailProven: false,
  canLinkByEmail: false,
}

const table: [string, Partial<LinkFacts>, LinkDecision][] = [
  ['creates a user for somebody new', {}, { do: 'create' }],
  ['signs in the owner of the account', { userByAccount: ann }, { do: 'signIn', user: ann }],
  [
    'signs in the owner of the account who is signed in already',
    { userByAccount: ann, addTo: ann },
    { do: 'signIn', user: ann },
  ],
  [
    'refuses to hand the account of one user to another',
    { userByAccount: ann, addTo: bob },
    { do: 'reject', reason: 'account of another user' },
  ],
  [
    'refuses it also where addresses may decide',
    { userByAccount: ann, addTo: bob, userByEmail: bob, canLinkByEmail: true },
    { do: 'reject', reason: 'account of another user' },
  ],
  [
    'adds an unknown account to whoever asked for it while signed in',
    { addTo: ann },
    { do: 'link', user: ann },
  ],
  [
    'adds it to them although another has its address',
    { addTo: ann, userByEmail: bob },
    { do: 'link', user: ann },
  ],
  [
    'refuses an unknown account with the address of a user',
    { userByEmail: ann },
    { do: 'reject', reason: 'address of another user' },
  ],
  [
    'links by an address that is vouched for where the application allows it',
    { userByEmail: eve, isEmailProven: true, canLinkByEmail: true },
    { do: 'link', user: eve },
  ],
  [
    'refuses to link by an address that nobody vouches for, whatever the application allows',
    { userByEmail: ann, canLinkByEmail: true },
    { do: 'reject', reason: 'address of another user' },
  ],
  [
    'refuses an address that is vouched for where its user has proved it and links are not allowed',
    { userByEmail: eve, isEmailProven: true },
    { do: 'reject', reason: 'address of another user' },
  ],
  [
    'gives an address that is vouched for a user of its own where nobody had proved it',
    { userByEmail: ann, isEmailProven: true },
    { do: 'claim', from: ann, canTakeOver: false },
  ],
  [
    'gives it the user that has it where links are allowed',
    { userByEmail: ann, isEmailProven: true, canLinkByEmail: true },
    { do: 'claim', from: ann, canTakeOver: true },
  ],
  [
    'refuses an address that nobody has proved, before or now',
    { userByEmail: ann },
    { do: 'reject', reason: 'address of another user' },
  ],
  ['creates a user although addresses may decide', { canLinkByEmail: true }, { do: 'create' }],
  [
    'looks at the account before the address',
    { userByAccount: ann, userByEmail: bob, canLinkByEmail: true },
    { do: 'signIn', user: ann },
  ],
]

describe('decideLink', () => {
  it.each(table)('%s', (_, facts, decision) => {
    expect(decideLink({ ...nobody, ...facts })).toEqual(decision)
  })
})

describe('the same user', () => {
  it('has the same id, as a number or as a text', () => {
    expect(isSameUser({ id: '7' }, { id: 7 as never })).toBe(true)
    expect(isSameUser({ id: '7' }, { id: '70' })).toBe(false)
  })

  it('is not the user who is gone', () => {
    for (const [one, other] of [
      [null, ann],
      [ann, null],
      [null, null],
    ] as const) {
      expect(isSameUser(one, other)).toBe(false)
    }
  })
})
