import type { AuthConfig, AuthInstance } from '@siteauth/core'
import type { Provider } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import { createTestAuth, type Recorded, Visitor } from '../visitor.ts'
import { memoryAdapter } from './memory-adapter.ts'

export const ORIGIN = 'https://app.example.com'
export const SESSION_COOKIE = '__Secure-authjs.session-token'
export const CSRF_COOKIE = '__Host-authjs.csrf-token'
export const CALLBACK_COOKIE = '__Secure-authjs.callback-url'

export const PASSWORD = 'correct horse battery staple'

export const ANN = {
  id: 'user-ann',
  name: 'Ann',
  email: 'ann@example.com',
  image: 'https://images.example/ann.png',
} as const

export const BOB = {
  id: 'user-bob',
  name: 'Bob',
  email: 'bob@example.com',
  image: 'https://images.example/bob.png',
} as const

type Person = typeof ANN | typeof BOB

/** Signs Ann and Bob in by name and password. */
export function passwords(id = 'credentials'): Provider {
  return Credentials({
    id,
    credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
    authorize({ username, password }) {
      const person = [ANN, BOB].find(each => each.name === username)
      return person && password === PASSWORD ? { ...person } : null
    },
  })
}

/** Lets everybody in, as the user given. */
export function everybodyIs(user: object): Provider {
  return Credentials({ authorize: () => user })
}

/** A time that stands still until it is moved. */
interface Clock {
  now(): number
  advance(seconds: number): void
}

function createClock(start = Date.UTC(2030, 0, 1)): Clock {
  let time = start
  return {
    now: () => time,
    advance(seconds) {
      time += seconds * 1000
    },
  }
}

/** An application, its clock, and the people who visit it. */
export interface Application extends AuthInstance, Recorded {
  readonly clock: Clock
  visitor(base?: string): Visitor
}

/** The two ways to keep sessions. */
export const STRATEGIES = ['jwt', 'database'] as const

/** What it takes to keep sessions in one of the two ways. */
export function configFor(strategy: (typeof STRATEGIES)[number]): Partial<AuthConfig> {
  return strategy === 'database' ? { adapter: memoryAdapter([ANN, BOB]).adapter } : {}
}

/** An application whose visitors sign in by password. */
export function createApplication(
  config: Partial<AuthConfig> = {},
  env: Readonly<Record<string, string>> = {},
): Application {
  const clock = createClock()
  const auth = createTestAuth(
    { providers: [passwords()], ports: { now: clock.now }, ...config },
    env,
  )
  return { ...auth, clock, visitor: base => new Visitor(auth.handle, base) }
}

/** Sends the form of the sign-in page. */
export function signIn(
  visitor: Visitor,
  person: Person = ANN,
  fields: Record<string, string> = {},
): Promise<Response> {
  const form = { username: person.name, password: PASSWORD, ...fields }
  return visitor.post('/callback/credentials', form)
}

/** Somebody who is signed in already. */
export async function signedIn(application: Application, person: Person = ANN): Promise<Visitor> {
  const visitor = application.visitor()
  await signIn(visitor, person)
  return visitor
}

/** A cookie that an answer sets. */
export interface WrittenCookie {
  readonly name: string
  readonly value: string
  /** By their names in lower case; those without a value are `true`. */
  readonly attributes: Readonly<Record<string, string | true>>
}

/** The cookies that an answer sets. */
export function writtenCookies(response: Response): WrittenCookie[] {
  return response.headers.getSetCookie().map(line => {
    const [pair = '', ...rest] = line.split('; ')
    const [name, value] = atFirstEquals(pair)
    const attributes = rest.map(each => {
      const [key, text] = atFirstEquals(each)
      return [key.toLowerCase(), each.includes('=') ? text : true] as const
    })
    return { name, value: decodeURIComponent(value), attributes: Object.fromEntries(attributes) }
  })
}

/** One of the cookies that an answer sets. */
export function writtenCookie(response: Response, name: string): WrittenCookie | undefined {
  return writtenCookies(response).find(each => each.name === name)
}

function atFirstEquals(text: string): [string, string] {
  const at = text.indexOf('=')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
