import { createHash } from 'node:crypto'
import type { AuthConfig } from '@siteauth/core'
import type { Adapter, AdapterUser, VerificationToken } from '@siteauth/core/adapters'
import { ANN, cookieNames, HTTPS, NOW, OLD_SECRET, SECRET } from '../fixtures.ts'
import type { Library } from '../libraries.ts'
import { attempt, observeResponse, type Recorder, startRecording } from '../observe.ts'
import { makeConfig, makeRequest, type RequestScenario, type Scenario } from '../scenario.ts'
import { adapterWith } from './database.ts'

/** A sign-in by a link that is sent by email. */
interface SignIn {
  /** How the link is asked for. */
  readonly start?: Partial<RequestScenario>
  /** What the provider has besides. */
  readonly provider?: object
  /** Whether the address belongs to nobody yet. */
  readonly isNew?: boolean
  readonly adapter?: Partial<Adapter>
  /** How the link is opened. Its path is that of the link unless said otherwise. */
  readonly open?: Partial<RequestScenario>
  /** Changes the link. */
  change?(link: URL): void
  /** Whether the link is opened twice, the second time being looked at. */
  readonly twice?: boolean
  config?(library: Library, recorder: Recorder): object
}

/** What is seen when a link is asked for. */
function start(id: string, options: SignIn = {}): Scenario {
  return {
    id: `email/start/${id}`,
    async observe(library) {
      const { config, recorder } = setUp(library, options)
      const answer = async () => library.core.Auth(await startRequest(options), config)
      return observeResponse(await attempt(answer), recorder)
    },
  }
}

/** What is seen when the link is opened. */
function open(id: string, options: SignIn = {}): Scenario {
  return {
    id: `email/open/${id}`,
    async observe(library) {
      const { config, recorder, links } = setUp(library, options)
      await library.core.Auth(await startRequest(options), config)
      const link = new URL(links[0] ?? HTTPS)
      options.change?.(link)
      const answer = async () =>
        library.core.Auth(await makeRequest({ path: link.href, ...options.open }), config)
      if (options.twice) await answer()
      return observeResponse(await attempt(answer), recorder)
    },
  }
}

function setUp(library: Library, options: SignIn) {
  const recorder = startRecording()
  const { spy } = recorder
  const links: string[] = []
  const sent = spy('sendVerificationRequest', (_message: object) => {})
  const provider = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: (message: { url: string; expires: Date; identifier: string }) => {
      const { url, expires, identifier } = message
      sent({
        expires,
        identifier,
        path: new URL(url).pathname,
        members: Object.keys(message).sort(),
      })
      links.push(url)
    },
    ...options.provider,
  }
  const config = makeConfig(library, recorder, () => ({
    providers: [provider],
    adapter: {
      ...adapterWith(recorder, null, users(options)),
      ...tokens(recorder, links, options),
    },
    ...options.config?.(library, recorder),
  }))
  return { config: config as AuthConfig, recorder, links }
}

const ann: AdapterUser = { ...ANN, emailVerified: null }

function users({ isNew, adapter }: SignIn): Partial<Adapter> {
  return { getUserByEmail: () => (isNew ? null : ann), ...adapter }
}

/** Keeps the hashes of tokens, as a database does. What is stored is told by how it was made. */
function tokens(
  { spy }: Recorder,
  links: readonly string[],
  { adapter }: SignIn,
): Pick<Adapter, 'createVerificationToken' | 'useVerificationToken'> {
  const stored: VerificationToken[] = []
  const created = spy('adapter.createVerificationToken', (_row: object) => {})
  const used = spy('adapter.useVerificationToken', (_key: object) => {})
  return {
    async createVerificationToken(row) {
      created({ identifier: row.identifier, expires: row.expires, length: row.token.length })
      stored.push(row)
      return row
    },
    async useVerificationToken({ identifier, token }) {
      used({ identifier, token: kindOf(token, links[0]) })
      const at = stored.findIndex(row => row.identifier === identifier && row.token === token)
      return stored.splice(at, at === -1 ? 0 : 1)[0] ?? null
    },
    ...adapter,
  }
}

function kindOf(hash: string, link: string | undefined): string {
  const token = link ? new URL(link).searchParams.get('token') : ''
  const kinds = { 'the secret': SECRET, both: `${SECRET},${OLD_SECRET}`, 'the old': OLD_SECRET }
  const [kind] =
    Object.entries(kinds).find(
      ([, secret]) => createHash('sha256').update(`${token}${secret}`).digest('hex') === hash,
    ) ?? []
  return kind ? `hashed with ${kind}` : 'of something else'
}

function startRequest({ start: options }: SignIn): Promise<Request> {
  const form = { email: ' Ann@Example.COM ', callbackUrl: '/next' }
  return makeRequest({ path: '/signin/mail', form, ...options })
}

function fail(): never {
  throw new Error('no')
}

/** Not at once: nobody in the library that we succeed listens yet. */
async function failLater(): Promise<never> {
  await new Promise(resolve => setTimeout(resolve, 20))
  return fail()
}

/** The answer of the `signIn` callback, to the request or, later, to the link. */
function asking(answer: (isRequest: boolean) => unknown): NonNullable<SignIn['config']> {
  return (_library, { spy }) => ({
    callbacks: {
      signIn: spy('callbacks.signIn', ({ email }: { email?: object }) => answer(Boolean(email))),
    },
  })
}

const posted = { method: 'POST', csrf: 'none' } as const

export const emailScenarios: readonly Scenario[] = [
  start('ok'),
  start('ok for somebody new', { isNew: true }),
  start('ok in client mode', { start: { client: true } }),
  start('ok with own token and lifetime', {
    provider: { maxAge: 60, generateVerificationToken: () => '123456' },
  }),
  start('ok with own page', { config: () => ({ pages: { verifyRequest: '/sent' } }) }),
  start('no CSRF token', { start: { csrf: 'none' } }),
  start('no address', { start: { form: {} } }),
  start('no such address', { start: { form: { email: 'nonsense' } } }),
  start('two addresses', { start: { form: { email: 'a@b.example,c@d.example' } } }),
  start('own way to read addresses refuses', { provider: { normalizeIdentifier: fail } }),
  start('the message cannot be sent', {
    provider: { sendVerificationRequest: failLater },
  }),
  start('the store is down', { adapter: { createVerificationToken: async () => fail() } }),
  start('signIn answers true', { config: asking(() => true) }),
  start('signIn answers false', { config: asking(() => false) }),
  start('signIn answers a path', { config: asking(() => '/not-yet') }),
  start('signIn throws', { config: asking(fail) }),

  open('ok'),
  open('ok, sent as a form', { open: posted }),
  open('ok, sent as a form, JWT sessions', {
    open: posted,
    config: (_library, { spy }) => ({
      session: { strategy: 'jwt' },
      callbacks: { jwt: spy('callbacks.jwt', ({ token }) => token) },
    }),
  }),
  open('somebody new', { isNew: true, open: posted }),
  open('somebody new, with a page for that', {
    isNew: true,
    open: posted,
    config: () => ({ pages: { newUser: '/welcome' } }),
  }),
  open('ok without the page', { provider: { confirm: false } }),
  open('ok with two secrets', {
    open: posted,
    config: ({ core }) => ({
      secret: [SECRET, OLD_SECRET],
      skipCSRFCheck: core.skipCSRFCheck,
    }),
  }),
  open('twice', { open: posted, twice: true }),
  open('another token', {
    open: posted,
    change: link => link.searchParams.set('token', 'another'),
  }),
  open('no token', { open: posted, change: link => link.searchParams.delete('token') }),
  open('another address', {
    open: posted,
    change: link => link.searchParams.set('email', 'bob@example.com'),
  }),
  open('too late', { open: posted, provider: { maxAge: -60 } }),
  open('HEAD', { open: { method: 'HEAD' } }),
  open('signIn answers false', { open: posted, config: asking(isRequest => isRequest) }),
  open('signIn answers a path', {
    open: posted,
    config: asking(isRequest => isRequest || '/not-yet'),
  }),
  open('the store is down', {
    open: posted,
    adapter: { useVerificationToken: async () => fail() },
  }),
  open('somebody else is signed in', {
    open: { ...posted, cookies: { [cookieNames(HTTPS).session]: 'row-1' } },
    adapter: {
      getSessionAndUser: async () => ({
        session: { sessionToken: 'row-1', userId: 'u2', expires: new Date(NOW + 1e9) },
        user: { ...ann, id: 'u2' },
      }),
    },
  }),
]
