import { afterAll, beforeAll, describe, it } from 'vitest'
import { INTEGRATION_CASES, type IntegrationCase } from './all-cases.ts'
import type { AttackExtent } from './guard-attacks.ts'
import { guardSuite } from './guard-suite.ts'
import type { RawRequest } from './raw-request.ts'
import { openSite, type SessionKind, type Site } from './site.ts'
import type { StartApplication } from './start-application.ts'

/** The options of `integrationSuite`. */
export interface IntegrationSuiteOptions {
  /** What the report calls the framework. */
  name: string
  /** Starts the application: once with sessions in cookies, and once with sessions in a database. */
  start: StartApplication
  /** Where the application has the endpoints. Defaults to `/auth`. */
  basePath?: string | undefined
  /**
   * The names of cases that the integration is known to fail. They are reported as such; one that passes after
   * all is an error, and so is a name no case has.
   */
  knownFailures?: readonly string[] | undefined
  /**
   * Requests that run guarded server functions, actions, loaders and the like of the running application, with the
   * headers that its own pages send.
   */
  functionCalls?: ((origin: string) => Promise<readonly RawRequest[]>) | undefined
  /**
   * `sample` sends about a third of the attacks on guards, in which every detour, suffix, method and header still occurs: for
   * tests that run for every change, beside others that send all of them. Defaults to `all`.
   */
  attacks?: AttackExtent | undefined
}

const KINDS: readonly SessionKind[] = ['cookie', 'database']

/**
 * Describes and runs every case that the integration of a framework has to pass, over HTTP. Call it in a
 * Vitest test file. The application is configured by `integrationConfig(env, adapter)`, trusts proxies on
 * loopback where its framework has such a setting, and has:
 *
 * | Route | |
 * |---|---|
 * | the base path | the endpoints |
 * | `GET /` | a page: `Hello, ` and the name, or `stranger` |
 * | `GET /api/me` | the session as JSON, or `null` |
 * | `GET /private` | behind a guard: a page with the name of whoever is signed in; 503 if the session cannot be read |
 * | `GET /admin` | behind a guard that lets only Ada pass: 403 for others |
 * | `GET /stream` | reads the session, then streams `NAME first, ` and `NAME second` as two chunks |
 * | `GET /still.txt` | `still`, and nothing else |
 * | `POST /login` | a form: `signIn` with `credentials`, its fields, and `/private` to go to; 401 on `CredentialsSignin` |
 * | `POST /logout` | `signOut`, and `/` to go to |
 * | `POST /rename` | a form: `update` with the `name` of the form |
 *
 * and the routes of `guardSuite`, which attacks its guards.
 *
 * @example
 * ```ts
 * import { integrationSuite } from '@siteauth/testing/integration'
 *
 * integrationSuite({
 *   name: 'my framework',
 *   start: async env => {
 *     const { port, close } = await startServer({ ...process.env, ...env })
 *     return { origin: `http://127.0.0.1:${port}`, stop: close }
 *   },
 * })
 * declare function startServer(env: object): Promise<{ port: number; close(): Promise<void> }> // yours
 * ```
 */
export function integrationSuite(options: IntegrationSuiteOptions): void {
  const { name, start, basePath = '/auth', knownFailures = [], functionCalls, attacks } = options
  const all = Object.values(INTEGRATION_CASES).flat()
  const unknown = knownFailures.filter(failure => !all.some(each => each.name === failure))
  if (unknown.length > 0) {
    throw new TypeError(
      `knownFailures contains names that are not in the suite: ${unknown.join('; ')}`,
    )
  }

  describe.each(KINDS)(`integration: ${name}, sessions in a %s`, sessions => {
    let site: Site & { close(): Promise<void> }
    beforeAll(async () => {
      site = await openSite({ sessions, basePath }, start)
    }, 120_000)
    afterAll(() => site?.close())

    const define = ({ name: title, run }: IntegrationCase) => {
      if (knownFailures.includes(title))
        it.fails(`${title} (known failure)`, () => run(site), 30_000)
      else it(title, () => run(site), 30_000)
    }
    for (const [group, cases] of Object.entries(INTEGRATION_CASES)) {
      const meant = cases.filter(each => (each.sessions ?? sessions) === sessions)
      describe(group, () => meant.forEach(define))
    }
  })

  guardSuite({ name, start, basePath, functionCalls, attacks })
}
