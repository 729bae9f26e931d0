/** How long to wait. */
export interface Duration {
  days?: number | undefined
  hours?: number | undefined
  minutes?: number | undefined
  seconds?: number | undefined
}

/** A clock that stands still until a test moves it. */
export interface Clock {
  /** The time, in milliseconds since 1970. Can be passed on as it is: `ports: { now: clock.now }`. */
  readonly now: () => number
  advance(by: Duration): void
  set(time: Date): void
}

/**
 * Creates a clock to put in place of the real one: in `ports.now` of a configuration, and in a fake provider.
 *
 * @example
 * ```ts
 * import { createAuth } from '@siteauth/core'
 * import { createClock, signInAs } from '@siteauth/testing'
 * import { expect, it } from 'vitest'
 *
 * it('signs people out who have been away for a month', async () => {
 *   const clock = createClock()
 *   const config = { secret: crypto.randomUUID(), ports: { now: clock.now } }
 *   const auth = createAuth({ providers: [], trustHost: true, ...config })
 *   const ada = await signInAs(config, { id: '1', name: 'Ada' })
 *   clock.advance({ days: 31 })
 *   expect(await auth.getSession(ada)).toBeNull()
 * })
 * ```
 */
export function createClock(start: Date = new Date()): Clock {
  let time = start.getTime()
  return {
    now: () => time,
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      time += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
    },
    set(to) {
      time = to.getTime()
    },
  }
}
