import type { AuthConfig } from '@siteauth/core'
import type { PasswordMail, PasswordUserConfig } from '@siteauth/core/providers'
import Password from '@siteauth/core/providers/password'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

export const ANN = 'ann@example.com'
export const BEN = 'ben@example.com'
export const GOOD = 'correct horse battery staple'
export const BETTER = 'purple monkeys rarely dishwash'

/** So that tests do not wait: what is hashed is of no use to anybody. */
export const CHEAP = { algorithm: 'scrypt', scryptCost: { ln: 1, r: 1 } } as const

/** An application with passwords, with a clock of the test's own. */
export function passwordApplication(
  config: Partial<AuthConfig> = {},
  own: Partial<PasswordUserConfig> = {},
) {
  const clock = { now: Date.now() }
  const mails: PasswordMail[] = []
  const adapter = MemoryAdapter()
  const auth = createTestAuth({
    adapter,
    trustHost: true,
    ports: { now: () => clock.now },
    ...config,
    providers: [
      Password({ mail: mail => void mails.push(mail), hashing: CHEAP, ...own }),
      ...(config.providers ?? []),
    ],
  })
  return { ...auth, adapter, clock, mails, visitor: () => new Visitor(auth.handle) }
}

export type PasswordApplication = ReturnType<typeof passwordApplication>

/** Asks for a link in a browser. Answers where it leads. */
export async function askForLink(
  { mails }: Pick<PasswordApplication, 'mails'>,
  visitor: Visitor,
  wish: 'sign-up' | 'forgot' = 'sign-up',
  email: string = ANN,
): Promise<URL> {
  await visitor.post(`/password/${wish}`, { email })
  return new URL(mails.at(-1)?.url ?? 'none:')
}

/** Chooses a password behind a link. Answers what came of it: `in`, or why not. */
export async function choose(visitor: Visitor, link: URL, password = GOOD): Promise<string> {
  const fields = Object.fromEntries(link.searchParams)
  return outcome(await visitor.post(link.origin + link.pathname, { ...fields, password }))
}

/** Somebody new signs up. Answers the browser that they did it in, where they are in. */
export async function signUp(
  application: PasswordApplication,
  email = ANN,
  password = GOOD,
): Promise<Visitor> {
  const visitor = application.visitor()
  const link = await askForLink(application, visitor, 'sign-up', email)
  const came = await choose(visitor, link, password)
  if (came !== 'in') throw new Error(came)
  return visitor
}

/** Types an address and a password. Answers what came of it: `in`, or why not. */
export async function signIn(visitor: Visitor, email = ANN, password = GOOD): Promise<string> {
  return outcome(await visitor.post('/signin/password', { email, password }))
}

/** Changes a password. Answers what came of it: `in`, or why not. */
export async function change(
  visitor: Visitor,
  currentPassword: string,
  newPassword: string,
): Promise<string> {
  return outcome(await visitor.post('/password', { currentPassword, newPassword }))
}

/** What an answer says: `in`, or which error. */
export function outcome(response: Response): string {
  if (response.status === 429) return 'too many'
  const to = new URL(response.headers.get('location') ?? 'none:')
  const error = to.searchParams.get('error')
  return error ? [error, to.searchParams.get('code')].filter(Boolean).join(' ') : 'in'
}

/** The address of whoever is signed in. */
export async function whoIsIn(visitor: Visitor): Promise<string | null> {
  const session = (await visitor.session()) as { user?: { email?: string } } | null
  return session?.user?.email ?? null
}

export const WRONG = 'CredentialsSignin credentials'
