import { Visitor } from '../../../core/test/visitor.ts'
import { type Application, goTo, readUserId, signIn } from '../application.ts'

/** One way to sign in for the first time, or to add an account. */
export interface Scenario {
  /** Whatever comes before the request during which the process is killed. Returns that request. */
  begin(application: Application, person: string): Promise<() => Promise<unknown>>
  /** What the same person does after that. Returns as whom they are signed in. */
  again(application: Application, person: string): Promise<unknown>
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a first sign-in with a provider': {
    async begin(application, person) {
      return goTo(as(application, person), new Visitor(application.auth.handle), 'op')
    },
    async again(application, person) {
      const visitor = new Visitor(application.auth.handle)
      await signIn(as(application, person), visitor)
      // One that was killed before it could write down which row it made is cured by proving the address.
      return readUserId(await visitor.session()) ?? byLink(application, person)
    },
  },
  'a first sign-in by email': {
    async begin(application, person) {
      const link = await requestLink(application, person)
      const visitor = new Visitor(application.auth.handle)
      return () => visitor.post('/callback/mail', Object.fromEntries(link))
    },
    again: byLink,
  },
  'a sign-in with a password': {
    async begin(application, person) {
      // The application has made the user beforehand, here by another way to sign in.
      const visitor = new Visitor(application.auth.handle)
      await signIn(as(application, person), visitor)
      return () => visitor.post('/callback/password', { email: addressFor(person) })
    },
    async again(application, person) {
      const visitor = new Visitor(application.auth.handle)
      await visitor.post('/callback/password', { email: addressFor(person) })
      return readUserId(await visitor.session())
    },
  },
  'an account added by somebody who is signed in': {
    async begin(application, person) {
      const visitor = new Visitor(application.auth.handle)
      await signIn(as(application, person), visitor)
      return goTo(application.server, visitor, 'other')
    },
    async again(application, person) {
      const visitor = new Visitor(application.auth.handle)
      await signIn(as(application, person), visitor)
      await signIn(application.server, visitor, 'other')
      const other = new Visitor(application.auth.handle)
      await signIn(application.server, other, 'other')
      const ids = [readUserId(await visitor.session()), readUserId(await other.session())]
      return ids[0] === ids[1] ? ids[0] : ids
    },
  },
}

/** The person who is stopped before that write. */
export function personFor(fatal: number): string {
  return `person-${fatal}`
}

export function addressFor(person: string): string {
  return `${person}@example.test`
}

/** The provider, which from now on says that everybody is that person. */
export function as({ server }: Application, person: string) {
  server.faults.claims = claims => ({ ...claims, sub: person, email: addressFor(person) })
  return server
}

async function byLink(application: Application, person: string): Promise<unknown> {
  const visitor = new Visitor(application.auth.handle)
  const link = await requestLink(application, person)
  await visitor.post('/callback/mail', Object.fromEntries(link))
  return readUserId(await visitor.session())
}

async function requestLink({ auth, sent }: Application, person: string): Promise<URLSearchParams> {
  await new Visitor(auth.handle).post('/signin/mail', { email: addressFor(person) })
  return new URL(sent.at(-1) ?? '').searchParams
}
