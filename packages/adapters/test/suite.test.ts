import type {
  Adapter,
  AdapterAccount,
  RevocationEntry,
  VerificationToken,
} from '@siteauth/core/adapters'
import { adapterSuite } from '@siteauth/testing/adapter'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../src/memory.ts'

// The suite itself is tested by adapters that are wrong in one way: a case that is listed as a
// known failure and passes is an error.

adapterSuite({
  name: 'one that uses a token up in two steps',
  create() {
    const tokens = new Map<string, VerificationToken>()
    const tokenKey = (token: { identifier: string; token: string }) =>
      JSON.stringify([token.identifier, token.token])
    return {
      ...MemoryAdapter(),
      createVerificationToken(token) {
        tokens.set(tokenKey(token), token)
        return token
      },
      async useVerificationToken(given) {
        const token = tokens.get(tokenKey(given)) ?? null
        await Promise.resolve()
        tokens.delete(tokenKey(given))
        return token
      },
    }
  },
  knownFailures: [
    'one token cannot be stored twice',
    'of 2 concurrent uses of one token exactly one gets it',
    'of 200 concurrent uses of one token exactly one gets it',
  ],
})

adapterSuite({
  name: 'one that uses a token up by its identifier alone',
  create() {
    const memory = MemoryAdapter()
    const tokens = new Map<string, string>()
    return {
      ...memory,
      createVerificationToken(token) {
        tokens.set(token.identifier, token.token)
        return memory.createVerificationToken(token)
      },
      async useVerificationToken({ identifier, token }) {
        const stored = tokens.get(identifier) ?? ''
        const found = await memory.useVerificationToken({ identifier, token: stored })
        return found?.token === token ? found : null
      },
    }
  },
  knownFailures: [
    'a wrong token answers null and does not use the right one up',
    'one identifier may have several tokens, each used by itself',
  ],
})

adapterSuite({
  name: 'one that forgets to cascade, and answers undefined and texts',
  create() {
    const memory = MemoryAdapter()
    const deleted = new Set<string>()
    return {
      ...memory,
      async getUser(id) {
        if (deleted.has(id)) return null
        return (await memory.getUser(id)) ?? (undefined as never)
      },
      async getUserByEmail(email) {
        const user = await memory.getUserByEmail(email)
        return user && !deleted.has(user.id) ? user : null
      },
      deleteUser(id) {
        deleted.add(id)
        return null
      },
      async createSession(session) {
        await memory.createSession(session)
        return { ...session, expires: session.expires.toISOString() as never }
      },
    }
  },
  knownFailures: [
    'getUser answers null for an id that nobody has',
    'getUser answers null for an id that is not of the store’s making',
    'deleteUser removes the user’s sessions and leaves those of others',
    'sessions in cookies go with their user',
    'deleteUser removes the user’s accounts and leaves those of others',
    'deleteUser removes the user’s authenticators',
    'linkAccountIf stores nothing for a user who is gone',
    'deleteUser records that the sessions of the user are revoked, and not those of others',
    'deleteUser records it again if it is called again, since the first call may have failed in between',
    'after deleteUser the same person can be created and linked again',
    'an account of a user who is not there can be linked to one who is',
    'a user who is deleted leaves no password behind',
    'createSession answers the stored session',
  ],
})

adapterSuite({
  name: 'one that says that it takes issuers, and has no column for them',
  create() {
    const { linkAccount, updateAccount, createUserWithAccount, ...memory } = MemoryAdapter()
    function withoutIssuer<T extends { issuer?: unknown }>({ issuer: _, ...account }: T) {
      return account
    }
    return {
      ...memory,
      linkAccount: account => linkAccount(withoutIssuer(account) as AdapterAccount),
      updateAccount: (account, held) =>
        updateAccount(withoutIssuer(account) as typeof account, held),
      createUserWithAccount: ({ account, ...signUp }) =>
        createUserWithAccount({ ...signUp, account: withoutIssuer(account) as typeof account }),
    }
  },
  knownFailures: [
    'the issuer of an account is kept, and may be filled in later',
    'a sign-up keeps the issuer of its account',
  ],
})

adapterSuite({
  name: 'one that renews whatever it is asked for, in two steps',
  create() {
    const memory = MemoryAdapter()
    return {
      ...memory,
      async getAndRenewSession(sessionToken, { expires }) {
        const found = await memory.getSessionAndUser(sessionToken)
        await Promise.resolve()
        if (!found) return null
        const session = { ...found.session, expires }
        await memory.deleteSession(sessionToken)
        await memory.createSession(session)
        return { ...found, session, isRenewed: true }
      },
    }
  },
  knownFailures: [
    'getAndRenewSession answers a session that is not due as it is',
    'getAndRenewSession does not extend a session that has ended',
    'getAndRenewSession does not bring back a session that is deleted meanwhile',
    'a session that is renewed was seen then, and keeps the rest',
  ],
})

adapterSuite({
  name: 'one that counts attempts by windows, in two steps',
  create() {
    const windows = new Map<string, { count: number; ends: number }>()
    return {
      ...MemoryAdapter(),
      limiter: {
        async take(key, { burst, refillSeconds }, now) {
          const name = key.toLowerCase()
          const before = windows.get(name)
          const window =
            before && before.ends > now
              ? before
              : { count: 0, ends: now + burst * refillSeconds * 1000 }
          await Promise.resolve()
          windows.set(name, { ...window, count: window.count + 1 })
          return window.count < burst ? 0 : window.ends - now
        },
        forget: () => undefined,
      },
    }
  },
  knownFailures: [
    'as many attempts are allowed at once as the rule says',
    'of 200 attempts at once no more are allowed than the rule says',
    'an attempt is allowed when the time to wait is over, and no sooner',
    'attempts that were refused do not make the wait longer',
    'attempts that were not made are saved up to a burst',
    'attempts in a row take twice as long each, and in the end a day',
    'attempts in a row are remembered for as long as the rule says',
    'attempts that are forgotten never were',
    'attempts are counted for each key by itself, to the letter',
  ],
})

adapterSuite({
  name: 'one whose log goes by the clock, and reads before it writes',
  create() {
    const rows = new Map<string, RevocationEntry & { changed: number }>()
    const listeners = new Set<(revocation: RevocationEntry) => void>()
    const foldCase = (key: string) => key.trim().toLowerCase()
    return {
      ...MemoryAdapter(),
      revocations: {
        async end(requested) {
          const ended: RevocationEntry[] = []
          for (const { key, until, isGeneration } of requested) {
            const before = rows.get(foldCase(key))?.generation ?? 0
            await Promise.resolve()
            const changed = Date.now()
            const generation = isGeneration ? Math.max(before, Math.floor(changed / 1000)) : null
            rows.set(foldCase(key), { key, until, generation, changed })
            ended.push({ key, until, generation })
          }
          for (const listener of listeners) ended.forEach(listener)
          return ended
        },
        find: keys => keys.flatMap(key => rows.get(foldCase(key)) ?? []),
        since: time => {
          const from = time?.getTime() ?? 0
          const now = new Date(Date.now() + 1000)
          return { revocations: [...rows.values()].filter(entry => entry.changed > from), now }
        },
        watch: onEnded => {
          listeners.add(onEnded)
          return () => {}
        },
      },
    }
  },
  knownFailures: [
    'deleteUser records that the sessions of the user are revoked, and not those of others',
    'deleteUser records it again if it is called again, since the first call may have failed in between',
    'a key that differs by a letter’s case, or by a blank, was not ended',
    'revocations are all taken or none, and what is wrong with one is said',
    'what is ended twice keeps the later date',
    'each generation of a key is higher than the one before',
    'a first generation is no earlier than the clock of the store',
    'a generation is higher also than one that may have been forgotten',
    'of concurrent generations of a key no two are the same',
    'a generation that is given is the first, and none that follows is lower',
    'what is ended as a whole stays so, whatever comes after',
    'since the time of an answer there is what was ended after it',
    'what is ended again is there since then',
    'what is over is not among all that was ended',
    'a thousand revocations are taken at once',
    'whoever has stopped watching hears nothing more, and others go on',
  ],
})

class ClassAdapter {
  readonly #memory = MemoryAdapter()
  async createUser(user: Parameters<NonNullable<Adapter['createUser']>>[0]) {
    return this.#memory.createUser(user)
  }
  async getUser(id: string) {
    return this.#memory.getUser(id)
  }
}

adapterSuite({
  name: 'an instance of a class with two methods',
  create: () => new ClassAdapter(),
  knownFailures: ['has the methods that every sign-in needs'],
})

it('refuses a known failure that no case is called', () => {
  const name = 'no such case'
  const suite = () => adapterSuite({ name, create: () => ({}), knownFailures: [name] })
  expect(suite).toThrow('knownFailures contains names that are not in the suite: no such case')
})
