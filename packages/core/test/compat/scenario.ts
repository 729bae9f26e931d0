import type { AuthConfig } from '@siteauth/core'
import type { JWT } from '@siteauth/core/jwt'
import { ANN, CSRF_TOKEN, cookieNames, csrfCookie, HTTPS, issuedToken, SECRET } from './fixtures.ts'
import type { Library } from './libraries.ts'
import {
  attempt,
  type Observation,
  observeResponse,
  type Recorder,
  startRecording,
} from './observe.ts'

/** Something to do with a library, and what there is to be seen of it. */
export interface Scenario {
  readonly id: string
  observe(library: Library): Promise<Observation>
}

type Cookies = Readonly<Record<string, string>>

/** A request, and the configuration that it meets. Nearly everything has a default. */
export interface RequestScenario {
  readonly origin?: string
  readonly method?: string
  /** Below `/auth`, unless it starts with the origin. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of a form; sent with a POST. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly rawBody?: BodyInit
  /** What a POST carries. `field` and `cookie` mean that only that half is right. */
  readonly csrf?: 'valid' | 'none' | 'field' | 'cookie' | 'forged'
  /** Claims of the session cookie. */
  readonly session?: JWT
  /** How long ago the session cookie was issued, in seconds. */
  readonly sessionAge?: number
  readonly cookies?: Cookies | (() => Promise<Cookies>)
  /** Ask for the `{ url }` form of redirects. */
  readonly client?: boolean
  /**
   * Made anew for each library, since one of them changes what it is given. Also what no type checker
   * would let pass: not every application has one.
   */
  config?(library: Library, recorder: Recorder): Partial<AuthConfig> | object
}

/** A scenario that is one request. */
export function request(id: string, scenario: RequestScenario): Scenario {
  return {
    id,
    async observe(library) {
      const recorder = startRecording()
      const config = makeConfig(library, recorder, scenario.config)
      const outcome = await attempt(async () =>
        library.core.Auth(await makeRequest(scenario), config),
      )
      return observeResponse(outcome, recorder)
    },
  }
}

/** A scenario that is no request. Every member of what it answers is compared. */
export function call(
  id: string,
  run: (library: Library, recorder: Recorder) => Promise<Observation> | Observation,
): Scenario {
  return {
    id,
    observe: async library => {
      const recorder = startRecording()
      const seen = await run(library, recorder)
      return { ...seen, ...recorder.observation() }
    },
  }
}

/** A configuration that has all that is needed, changed as a scenario wants it. */
export function makeConfig(
  library: Library,
  recorder: Recorder,
  changes: RequestScenario['config'],
): AuthConfig {
  return {
    secret: SECRET,
    trustHost: true,
    logger: recorder.logger,
    providers: [
      library.Credentials({
        credentials: {
          username: { label: 'Name', placeholder: 'ann' },
          password: { label: 'Password', type: 'password' },
        },
        authorize: ({ username }) => (username === 'ann' ? { ...ANN } : null),
      }),
    ],
    events: recorder.events(),
    ...changes?.(library, recorder),
  }
}

/** The request of a scenario, made anew since a body can be read only once. */
export async function makeRequest(scenario: RequestScenario): Promise<Request> {
  const { origin = HTTPS, path, csrf = 'valid', session, sessionAge = 0 } = scenario
  const hasBody = 'form' in scenario || 'json' in scenario || 'rawBody' in scenario
  const method = scenario.method ?? (hasBody ? 'POST' : 'GET')
  const names = cookieNames(origin)
  const given = scenario.cookies
  const cookies: Record<string, string> = {
    ...(typeof given === 'function' ? await given() : given),
  }
  if (method === 'POST' && csrf !== 'none' && csrf !== 'field') {
    const cookie = await csrfCookie(CSRF_TOKEN)
    cookies[names.csrf] ??= csrf === 'forged' ? `${CSRF_TOKEN}|${'0'.repeat(64)}` : cookie
  }
  if (session) {
    cookies[names.session] = await issuedToken(session, { salt: names.session, age: sessionAge })
  }
  const headers = new Headers(scenario.headers)
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${encode(value)}`)
  if (pairs.length > 0) headers.set('cookie', pairs.join('; '))
  if (scenario.client) headers.set('x-auth-return-redirect', '1')
  const url = path.startsWith('http') ? path : `${origin}/auth${path}`
  if (method !== 'POST') return new Request(url, { method, headers })
  const token = csrf === 'none' || csrf === 'cookie' ? {} : { csrfToken: CSRF_TOKEN }
  if ('json' in scenario) {
    headers.set('content-type', 'application/json')
    const isObject = typeof scenario.json === 'object' && scenario.json !== null
    const body = isObject ? { ...token, ...scenario.json } : scenario.json
    return new Request(url, { method, headers, body: JSON.stringify(body) })
  }
  if (scenario.rawBody !== undefined) {
    return new Request(url, { method, headers, body: scenario.rawBody })
  }
  return new Request(url, {
    method,
    headers,
    body: new URLSearchParams({ ...token, ...scenario.form }),
  })
}

function encode(value: string): string {
  return value.replaceAll(/[%|;, ]/g, encodeURIComponent)
}
