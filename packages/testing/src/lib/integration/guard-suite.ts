import { afterAll, beforeAll, describe, it } from 'vitest'
import { ATTACK_CASES, type AttackedSite, type GuardPlace } from './attack-cases.ts'
import type { AttackExtent } from './guard-attacks.ts'
import type { RawRequest } from './raw-request.ts'
import { openSite, type Site } from './site.ts'
import type { StartApplication } from './start-application.ts'

/** The options of `guardSuite`. */
export interface GuardSuiteOptions {
  /** The name of the framework in the report. */
  readonly name: string
  /** Starts the application: once with guards in its routes, and once with one guard in front of everything. */
  readonly start: StartApplication
  /** Where the application has the endpoints. Defaults to `/auth`. */
  readonly basePath?: string | undefined
  /**
   * Requests that run guarded server functions, actions, loaders and the like of the running application, with the
   * headers that its own pages send.
   */
  readonly functionCalls?: ((origin: string) => Promise<readonly RawRequest[]>) | undefined
  /**
   * `sample` sends about a third of the attacks, in which every detour, suffix, method and header still occurs: for tests
   * that run for every change, beside others that send all of them. Defaults to `all`.
   */
  readonly attacks?: AttackExtent | undefined
}

const PLACES: readonly GuardPlace[] = ['routes', 'front']

/**
 * Attacks the guards of an application over raw sockets, as part of `integrationSuite`. The application takes what it
 * needs from `guardProbe(env)` of `@siteauth/testing/integration-config`, and has, beside the routes of that suite:
 *
 * | Route | |
 * |---|---|
 * | `GET /ran` | `probe.count` as text, for everybody |
 * | `GET /login` | `probe.signInPage`, for everybody |
 * | `GET /files/*`, a wildcard | behind a guard: `probe.ran()` |
 * | `GET /item/:id`, a parameter | behind a guard: `probe.ran()` |
 * | `GET /only-ada` | behind a guard with `probe.allow`: `probe.ran()` |
 *
 * If the framework has hooks for responses, one should take some milliseconds for requests with the header `x-slow-response`.
 *
 * If `probe.isInFront`, none of these has a guard of its own. One guard in front of everything but the endpoints has the
 * options `{ except: probe.except, allow: probe.allow }`, and a wildcard at the root answers `probe.ran()` to every path that
 * has no other route. Otherwise there is no such wildcard.
 */
export function guardSuite({
  name,
  start,
  basePath = '/auth',
  functionCalls,
  attacks,
}: GuardSuiteOptions): void {
  describe.each(PLACES)(`integration: ${name}, guards in the %s`, place => {
    let attacked: AttackedSite & { readonly site: Site & { close(): Promise<void> } }
    beforeAll(async () => {
      const site = await openSite({ sessions: 'cookie', basePath, guard: place }, start)
      const calls = (await functionCalls?.(site.origin)) ?? []
      attacked = { site, place, functionCalls: calls, attacks }
    }, 120_000)
    afterAll(() => attacked?.site.close())

    describe('guards under attack', () => {
      const isMeant = (each: { readonly place?: GuardPlace }) => (each.place ?? place) === place
      for (const { name: title, run } of ATTACK_CASES.filter(isMeant)) {
        it(title, () => run(attacked), 300_000)
      }
    })
  })
}
