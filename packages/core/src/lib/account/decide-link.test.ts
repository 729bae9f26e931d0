import { describe, expect, it } from 'vitest'
import type { AdapterUser } from '../model.ts'
import { decideLink, type LinkDecision, type LinkFacts } from './decide-link.ts'

const ann: AdapterUser = { id: 'ann', email: 'ann@example.com', emailVerified: null }
const bob: AdapterUser = { id: 'bob', email: 'bob@example.com', emailVerified: null }

const nobody: LinkFacts = {
  userByAccount: null,
  currentUser: null,
  userByEmail: null,
  mayLinkByEmail: false,
}

const table: [string, Partial<LinkFacts>, LinkDecision][] = [
  ['creates a user for somebody new', {}, { do: 'create' }],
  ['signs in the owner of the account', { userByAccount: ann }, { do: 'signIn', user: ann }],
  [
    'signs in the owner of the account who is signed in already',
    { userByAccount: ann, currentUser: ann },
    { do: 'signIn', user: ann },
  ],
  [
    'refuses to hand the account of one user to another',
    { userByAccount: ann, currentUser: bob },
    { do: 'refuse', why: 'account of another user' },
  ],
  [
    'refuses it also where addresses may decide',
    { userByAccount: ann, currentUser: bob, userByEmail: bob, mayLinkByEmail: true },
    { do: 'refuse', why: 'account of another user' },
  ],
  [
    'adds an unknown account to whoever is signed in',
    { currentUser: ann },
    { do: 'link', user: ann },
  ],
  [
    'adds it to whoever is signed in although another has its address',
    { currentUser: ann, userByEmail: bob },
    { do: 'link', user: ann },
  ],
  [
    'refuses an unknown account with the address of a user',
    { userByEmail: ann },
    { do: 'refuse', why: 'address of another user' },
  ],
  [
    'links by the address where the application allows it',
    { userByEmail: ann, mayLinkByEmail: true },
    { do: 'link', user: ann },
  ],
  ['creates a user although addresses may decide', { mayLinkByEmail: true }, { do: 'create' }],
  [
    'looks at the account before the address',
    { userByAccount: ann, userByEmail: bob, mayLinkByEmail: true },
    { do: 'signIn', user: ann },
  ],
]

describe('decideLink', () => {
  it.each(table)('%s', (_, facts, decision) => {
    expect(decideLink({ ...nobody, ...facts })).toEqual(decision)
  })
})
