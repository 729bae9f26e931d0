import type { AuthConfig, AuthInstance } from '@siteauth/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { recordingLogger, Visitor } from '../visitor.ts'
import { at, createNetwork } from './network.ts'

// Several configurations of one process share a log: tenants, or two mounts. Each goes by its own settings,
// whichever of them used the log first.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

type Revocation = Exclude<NonNullable<AuthConfig['session']>['revocation'], false | undefined>

let network: ReturnType<typeof createNetwork>

beforeEach(() => {
  network = createNetwork()
})

/** A configuration with these settings, which shares the log with all others. */
function configuration(revocation: Revocation, more: Partial<AuthConfig> = {}) {
  const { log, createNode } = network
  return createNode(null, { ...more, session: { revocation: { log, ...revocation } } })
}

async function signedIn(auth: Pick<AuthInstance, 'handle'>, id = 'ann') {
  const visitor = new Visitor(auth.handle)
  await visitor.post('/callback/password', { id })
  return visitor
}

async function statusOf(visitor: Visitor): Promise<number> {
  return (await visitor.get('/session')).status
}

/** Signs in at the first of two configurations, and reads the session at both. */
async function readByBoth(
  first: Pick<AuthInstance, 'handle'>,
  second: Pick<AuthInstance, 'handle'>,
) {
  const visitors = [await signedIn(first)] as const
  const both = [visitors[0], at(second, visitors[0])] as const
  for (const visitor of both) expect(await visitor.session()).not.toBeNull()
  return both
}

describe('a configuration that shares a log with an earlier one', () => {
  it('has its own whenStale', async () => {
    const [lenient, strict] = await readByBoth(
      configuration({ whenStale: 'accept' }),
      configuration({ whenStale: 'reject' }),
    )
    network.state.isDown = true
    network.clock.now += HOUR
    expect(await statusOf(strict)).toBe(503)
    expect(await statusOf(lenient)).toBe(200)
  })

  it('has its own maxStaleSeconds', async () => {
    const [patient, strict] = await readByBoth(
      configuration({ maxStaleSeconds: 3600 }),
      configuration({ maxStaleSeconds: 60 }),
    )
    network.state.isDown = true
    network.clock.now += 2 * MINUTE
    expect(await statusOf(strict)).toBe(503)
    expect(await statusOf(patient)).toBe(200)
  })

  it('has its own check', async () => {
    const elsewhere = network.node()
    const [byRenewal, byView] = await readByBoth(
      configuration({ check: 'on-renewal' }),
      configuration({ check: 'always' }),
    )
    await at(elsewhere, byRenewal).post('/signout')
    network.clock.now += 10 * SECOND
    expect(await byView.session()).toBeNull()
    expect(await byRenewal.session()).not.toBeNull()
  })

  it('has its own pollSeconds', async () => {
    const elsewhere = network.node()
    const [, eager] = await readByBoth(
      configuration({ pollSeconds: 60 }),
      configuration({ pollSeconds: 2 }),
    )
    await at(elsewhere, eager).post('/signout')
    network.clock.now += 2 * SECOND
    expect(await eager.session()).toBeNull()
  })

  it('has its own logger', async () => {
    const [one, other] = [recordingLogger(), recordingLogger()]
    const both = await readByBoth(
      configuration({}, { logger: one.logger }),
      configuration({}, { logger: other.logger }),
    )
    network.state.isDown = true
    network.clock.now += 20 * SECOND
    for (const visitor of both) expect(await statusOf(visitor)).toBe(200)
    for (const { errors } of [one, other]) {
      expect(errors.map(error => error.message)).toEqual([
        expect.stringContaining('The ended sessions could not be read.'),
      ])
    }
  })

  it('has its own clock', async () => {
    const { clock } = network
    const [one, other] = await readByBoth(
      configuration({}),
      configuration({}, { ports: { now: () => clock.now + HOUR } }),
    )
    network.state.isDown = true
    clock.now += 4 * MINUTE
    for (const visitor of [one, other]) expect(await statusOf(visitor)).toBe(200)
    clock.now += 2 * MINUTE
    for (const visitor of [one, other]) expect(await statusOf(visitor)).toBe(503)
  })

  it('has what the other has read, and reads it no second time', async () => {
    const [one, other] = await readByBoth(configuration({}), configuration({ maxStaleSeconds: 60 }))
    network.clock.now += 10 * SECOND
    network.state.calls.length = 0
    for (const visitor of [one, other]) await visitor.session()
    expect(network.state.calls).toEqual(['since'])
  })
})
