import * as jose from 'jose'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { CLIENT_SECRET } from './fake-server.ts'
import { createLogoutWorld } from './logout-world.ts'

const MAX_PER_MINUTE = 6000
const KEY = new TextEncoder().encode(CLIENT_SECRET)

function signed(claims: jose.JWTPayload): Promise<string> {
  return new jose.SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' }).sign(KEY)
}

/** A provider whose notices are signed with the client's secret: thousands are made within seconds. */
async function createNoisyWorld() {
  const adapter = MemoryAdapter()
  const rows = { written: 0, isDown: false }
  const { revocations } = adapter
  const counting = {
    ...revocations,
    end: async (...given: Parameters<typeof revocations.end>) => {
      if (rows.isDown) throw new Error('the store is down')
      rows.written += 1
      return revocations.end(...given)
    },
  }
  const world = await createLogoutWorld(
    { adapter: { ...adapter, revocations: counting } },
    { client: { id_token_signed_response_alg: 'HS256' } },
  )
  world.op.faults.idToken = claims => signed(JSON.parse(JSON.stringify(claims)))
  return {
    ...world,
    rows,
    async notify(claims: Record<string, unknown>): Promise<number> {
      const logout_token = await signed(world.notice(claims))
      return (await world.post(new URLSearchParams({ logout_token }))).status
    },
  }
}

it('a provider whose notices are about nobody here fills neither the store nor the log, and its notices about users are carried out', async () => {
  const { auth, clock, notify, rows, signIn } = await createNoisyWorld()
  const ada = await signIn('ada')
  for (let index = 0; index < MAX_PER_MINUTE; index += 1) {
    expect(await notify({ sub: `nobody ${index}` })).toBe(200)
  }
  const written = rows.written
  for (let index = 0; index < 20; index += 1) {
    expect(await notify({ sub: `nobody else ${index}` })).toBe(503)
    expect(await notify({ sid: `nothing ${index}` })).toBe(503)
  }
  expect(rows.written).toBe(written)
  expect(auth.errors.filter(({ message }) => message.includes('503'))).toHaveLength(1)
  expect(await ada.session()).not.toBeNull()
  expect(await notify({ sub: 'ada' })).toBe(200)
  expect(await ada.session()).toBeNull()
  clock.now += 60_000
  expect(await notify({ sub: 'nobody at all' })).toBe(200)
})

it('notices about users, and those that could not be carried out, leave the budget to others', async () => {
  const { notify, rows, signIn } = await createNoisyWorld()
  await signIn('ada')
  for (let index = 0; index < MAX_PER_MINUTE; index += 1) {
    rows.isDown = index % 2 === 0
    expect(await notify({ sub: 'ada' })).toBe(rows.isDown ? 503 : 200)
  }
  rows.isDown = false
  expect(await notify({ sid: 'a session that this application may have' })).toBe(200)
})

it('a notice that comes again and again leaves the budget to others', async () => {
  const { notify } = await createNoisyWorld()
  expect(await notify({ sub: 'nobody', jti: 'once' })).toBe(200)
  for (let index = 0; index < MAX_PER_MINUTE; index += 1) {
    expect(await notify({ sub: 'nobody', jti: 'once' })).toBe(400)
  }
  expect(await notify({ sid: 'a session that this application may have' })).toBe(200)
})
