import { createAuth } from '@siteauth/core'
import { createClock, signInAs, Visitor } from '@siteauth/testing'
import { expect, it } from 'vitest'

const config = { secret: 'a test secret that is long enough!', trustHost: true, providers: [] }

it('visits as somebody whom the kit signed in, and can sign out', async () => {
  const { handle } = createAuth(config, { env: { NODE_ENV: 'test' } })
  const visitor = new Visitor(handle, 'http://localhost/auth')
  visitor.addCookies(
    (await signInAs(config, { id: '1', name: 'Ada' }, { env: { NODE_ENV: 'test' } })).cookies,
  )
  expect(await visitor.session()).toMatchObject({ user: { name: 'Ada' } })
  await visitor.post('/signout')
  expect(await visitor.session()).toBeNull()
})

it('has a clock that stands still until it is moved', () => {
  const clock = createClock(new Date('2030-01-01T00:00:00Z'))
  clock.advance({ days: 1, hours: 1, minutes: 1, seconds: 1 })
  expect(clock.now()).toBe(Date.parse('2030-01-02T01:01:01Z'))
  clock.set(new Date('2040-01-01T00:00:00Z'))
  expect(clock.now()).toBe(Date.parse('2040-01-01T00:00:00Z'))
})
