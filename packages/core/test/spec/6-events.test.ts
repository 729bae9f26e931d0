import { EventError } from '@siteauth/core/errors'
import type { EventCallbacks } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import {
  ANN,
  configFor,
  createApplication,
  everybodyIs,
  SESSION_COOKIE,
  STRATEGIES,
  signedIn,
  signIn,
} from './application.ts'
import { memoryAdapter } from './memory-adapter.ts'

function recorded() {
  const told: [name: string, message: object][] = []
  const events: Partial<EventCallbacks> = {
    signIn: message => void told.push(['signIn', message]),
    signOut: message => void told.push(['signOut', message]),
    session: message => void told.push(['session', message]),
  }
  return { told, events }
}

describe('6 Events', () => {
  it('6 signIn: tells of user and account', async () => {
    const { told, events } = recorded()
    await signedIn(createApplication({ events }))
    expect(told).toEqual([
      [
        'signIn',
        {
          user: ANN,
          account: { provider: 'credentials', providerAccountId: ANN.id, type: 'credentials' },
        },
      ],
    ])
  })

  it('6 signIn: user is the raw response of the credentials provider', async () => {
    const { told, events } = recorded()
    const raw = { id: 'ann', name: 'Ann', badge: { number: 7 }, roles: ['admin'] }
    await signedIn(createApplication({ providers: [everybodyIs(raw)], events }))
    expect(told[0]?.[1]).toHaveProperty('user', raw)
  })

  it('6 signIn: says nothing of a sign-in that failed', async () => {
    const { told, events } = recorded()
    const refusing = createApplication({ events, callbacks: { signIn: () => false } })
    await signIn(refusing.visitor())
    const lost = createApplication({
      events,
      callbacks: { redirect: () => Promise.reject(new Error('no way back')) },
    })
    await signIn(lost.visitor(), ANN, { callbackUrl: '/inbox' })
    await signIn(createApplication({ events }).visitor(), ANN, { password: 'wrong' })
    expect(told).toEqual([])
  })

  it('6 signOut: tells of the token with the JWT strategy', async () => {
    const { told, events } = recorded()
    const visitor = await signedIn(createApplication({ events }))
    await visitor.post('/signout')
    expect(told[1]).toEqual(['signOut', { token: expect.objectContaining({ sub: ANN.id }) }])
  })

  it('6 signOut: tells of null where the token cannot be opened', async () => {
    const { told, events } = recorded()
    const visitor = createApplication({ events }).visitor()
    visitor.cookies.set(SESSION_COOKIE, 'no-token')
    await visitor.post('/signout')
    expect(told).toEqual([['signOut', { token: null }]])
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false)
  })

  it('6 signOut: tells of the session that was ended with the database strategy', async () => {
    const { told, events } = recorded()
    const { adapter } = memoryAdapter([ANN])
    const visitor = await signedIn(createApplication({ adapter, events }))
    const sessionToken = visitor.cookies.get(SESSION_COOKIE)
    await visitor.post('/signout')
    expect(told[1]).toEqual([
      'signOut',
      { session: { sessionToken, userId: ANN.id, expires: expect.any(Date) } },
    ])
  })

  it('6 signOut: does not happen where nobody was signed in', async () => {
    const { told, events } = recorded()
    await createApplication({ events }).visitor().post('/signout')
    expect(told).toEqual([])
  })

  it('6 session: tells of session and token with the JWT strategy', async () => {
    const { told, events } = recorded()
    const session = await (await signedIn(createApplication({ events }))).session()
    const token = expect.objectContaining({ sub: ANN.id })
    expect(told[1]).toEqual(['session', { session, token }])
  })

  it('6 session: tells of the session alone with the database strategy', async () => {
    const { told, events } = recorded()
    const { adapter } = memoryAdapter([ANN])
    const session = await (await signedIn(createApplication({ adapter, events }))).session()
    expect(told[1]).toEqual(['session', { session }])
  })

  it('6 session: does not happen where there is none', async () => {
    const { told, events } = recorded()
    await createApplication({ events }).visitor().session()
    expect(told).toEqual([])
  })

  it('6 signIn, signOut and session: handlers are asynchronous and waited for', async () => {
    const finished: string[] = []
    function slow(name: string) {
      return async () => {
        await new Promise(resolve => setTimeout(resolve, 2))
        finished.push(name)
      }
    }
    const events = { signIn: slow('signIn'), session: slow('session'), signOut: slow('signOut') }
    const visitor = await signedIn(createApplication({ events }))
    expect(finished).toEqual(['signIn'])
    await visitor.session()
    expect(finished).toEqual(['signIn', 'session'])
    await visitor.post('/signout')
    expect(finished).toEqual(['signIn', 'session', 'signOut'])
  })

  it.each(STRATEGIES)(
    '6 signIn, signOut and session: a handler that throws is logged and changes nothing (%s)',
    async strategy => {
      function fail(): never {
        throw new Error('the audit log is full')
      }
      const application = createApplication({
        ...configFor(strategy),
        events: { signIn: fail, session: async () => fail(), signOut: fail },
      })
      const visitor = await signedIn(application)
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
      await visitor.post('/signout')
      expect(await visitor.session()).toBeNull()
      expect(application.errors).toHaveLength(3)
      for (const error of application.errors) expect(error).toBeInstanceOf(EventError)
    },
  )

  it('6 signIn, signOut and session: handlers may be the methods of an object', async () => {
    class Audit {
      readonly lines: string[] = []
      signIn({ user }: { user: { name?: string | null } }): void {
        this.lines.push(`${user.name} signed in`)
      }
    }
    const audit = new Audit()
    await signedIn(createApplication({ events: audit as Pick<EventCallbacks, 'signIn'> }))
    expect(audit.lines).toEqual(['Ann signed in'])
  })
})
