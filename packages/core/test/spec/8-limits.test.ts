import { describe, expect, it } from 'vitest'
import { warningsOf } from '../visitor.ts'
import {
  ANN,
  configFor,
  createApplication,
  SESSION_COOKIE,
  STRATEGIES,
  signedIn,
  signIn,
  writtenCookie,
  writtenCookies,
} from './application.ts'
import { memoryAdapter } from './memory-adapter.ts'

describe('8 Limits', () => {
  it.each(STRATEGIES)('8 session.maxAge default: 2592000 seconds (%s)', async strategy => {
    const application = createApplication(configFor(strategy))
    const visitor = application.visitor()
    const cookie = writtenCookie(await signIn(visitor), SESSION_COOKIE)
    const expires = new Date(application.clock.now() + 2_592_000_000)
    expect(cookie?.attributes['expires']).toBe(expires.toUTCString())
    expect(await visitor.session()).toHaveProperty('expires', expires.toISOString())
    application.clock.advance(2_592_000 + 16) // and what clocks may differ by
    expect(await visitor.session()).toBeNull()
  })

  it.each(STRATEGIES)('8 session.updateAge default: 86400 seconds (%s)', async strategy => {
    const application = createApplication(configFor(strategy))
    const visitor = await signedIn(application)
    application.clock.advance(86_399)
    expect(writtenCookies(await visitor.get('/session'))).toEqual([])
    application.clock.advance(1)
    expect(writtenCookies(await visitor.get('/session'))).toHaveLength(1)
    expect(writtenCookies(await visitor.get('/session'))).toEqual([])
  })

  it('8 session.updateAge default: 0 means update every time', async () => {
    const { adapter, calls } = memoryAdapter([ANN])
    const visitor = await signedIn(createApplication({ adapter, session: { updateAge: 0 } }))
    for (let reads = 0; reads < 5; reads++) await visitor.session()
    expect(calls.filter(each => each === 'updateSession')).toHaveLength(5)
  })

  it('8 AUTH_SECRET recommended minimum length: 32 characters', async () => {
    const secret = 'x'.repeat(31)
    expect(await warningsOf(createApplication({ secret }))).toEqual(['short-secret'])
    expect(await warningsOf(createApplication({ secret: `${secret}x` }))).toEqual([])
  })

  it('8 AUTH_SECRET recommended minimum length: a shorter one works', async () => {
    const visitor = await signedIn(createApplication({ secret: 'short' }))
    expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
  })
})
