import { createHash } from 'node:crypto'
import type { AuthConfig } from '@siteauth/core'
import type { Adapter, AdapterUser, VerificationToken } from '@siteauth/core/adapters'
import { createBrowser } from '../browser.ts'
import { ANN, cookieNames, HTTPS, NOW, OLD_SECRET, SECRET } from '../fixtures.ts'
import { type Library, ours } from '../libraries.ts'
import { attempt, observeResponse, type Recorder, startRecording } from '../observe.ts'
import { makeConfig, makeRequest, type RequestScenario, type Scenario } from '../scenario.ts'
import { adapterWith, usersOf } from './database.ts'

/** A sign-in by a link that is sent by email. */
interface SignIn {
  /** How the link is asked for. */
  readonly start?: Partial<RequestScenario>
  /** What the provider has besides. */
  readonly provider?: object
  /** Whether the address belongs to nobody yet. */
  readonly isNew?: boolean
  /** Whether the address is that of a user, and nobody has ever proved that it is theirs. */
  readonly isUnproven?: boolean
  readonly adapter?: Partial<Adapter>
  /** Whether sending the message fails. */
  readonly cannotSend?: boolean
  /** How the link is opened. */
  readonly open?: Partial<RequestScenario>
  /** Whether the visitor then presses the button of the page, where there is one. */
  readonly presses?: boolean
  /** Whether the link is opened in another browser than it was asked for in. */
  readonly elsewhere?: boolean
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
      const request = await makeRequest(startScenario(options))
      const answer = () => library.core.Auth(request, config)
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
      const browser = await createBrowser(request => library.core.Auth(request, config))
      await browser.send(startScenario(options))
      const link = new URL(links[0] ?? HTTPS)
      options.change?.(link)
      if (options.elsewhere) browser.forget()
      const answer = () => (options.presses && library === ours ? press() : browser.send(opening))
      // The library that we succeed has no page: a form to the same address is the nearest to it.
      const opening: RequestScenario = {
        path: link.href,
        ...(options.presses && library !== ours && ({ method: 'POST', csrf: 'none' } as const)),
        ...options.open,
      }
      const press = async () => {
        const page = await browser.send(opening)
        return page.status === 200 ? browser.submit(page, options.open) : page
      }
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
  const store = tokens(recorder, links, options)
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
    // Not before the token is stored: until then nobody in the library that we succeed listens.
    ...(options.cannotSend && { sendVerificationRequest: () => store.isStored.then(fail) }),
    ...options.provider,
  }
  const config = makeConfig(library, recorder, () => ({
    providers: [provider],
    adapter: {
      ...adapterWith(recorder, null, users(options)),
      ...store.rows,
    },
    ...options.config?.(library, recorder),
  }))
  return { config: config as AuthConfig, recorder, links }
}

const ann: AdapterUser = { ...ANN, emailVerified: new Date(NOW - 1e9) }

function users({ isNew, isUnproven, adapter }: SignIn): Partial<Adapter> {
  const known = isUnproven ? { ...ann, emailVerified: null } : ann
  return { ...(isNew ? usersOf() : usersOf(known)), ...adapter }
}

/** Keeps the hashes of tokens, as a database does. What is stored is told by how it was made. */
function tokens(
  { spy }: Recorder,
  links: readonly string[],
  { adapter }: SignIn,
): {
  readonly rows: Pick<Adapter, 'createVerificationToken' | 'useVerificationToken'>
  readonly isStored: Promise<void>
} {
  const stored: VerificationToken[] = []
  let tell = () => {}
  const isStored = new Promise<void>(resolve => {
    tell = resolve
  })
  const created = spy('adapter.createVerificationToken', (_row: object) => {})
  const used = spy('adapter.useVerificationToken', (_key: object) => {})
  const rows: Pick<Adapter, 'createVerificationToken' | 'useVerificationToken'> = {
    async createVerificationToken(row) {
      created({ identifier: row.identifier, expires: row.expires, length: row.token.length })
      stored.push(row)
      tell()
      return row
    },
    async useVerificationToken({ identifier, token }) {
      used({ identifier, token: kindOf(token, links[0]) })
      const at = stored.findIndex(row => row.identifier === identifier && row.token === token)
      return stored.splice(at, at === -1 ? 0 : 1)[0] ?? null
    },
    ...adapter,
  }
  return { rows, isStored }
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

function startScenario({ start: options }: SignIn): RequestScenario {
  const form = { email: ' Ann@Example.COM ', callbackUrl: '/next' }
  return { path: '/signin/mail', form, ...options }
}

function fail(): never {
  throw new Error('no')
}

/** The answer of the `signIn` callback, to the request or, later, to the link. */
function asking(answer: (isRequest: boolean) => unknown): NonNullable<SignIn['config']> {
  return (_library, { spy }) => ({
    callbacks: {
      signIn: spy('callbacks.signIn', ({ email }: { email?: object }) => answer(Boolean(email))),
    },
  })
}

export const emailScenarios: readonly Scenario[] = [
  start('ok'),
  start('ok for somebody new', { isNew: true }),
  start('ok in client mode', { start: { client: true } }),
  start('ok with own token and lifetime', {
    provider: { maxAge: 60, generateVerificationToken: () => 'own-token-of-the-application' },
  }),
  start('ok with own page', { config: () => ({ pages: { verifyRequest: '/sent' } }) }),
  start('no CSRF token', { start: { csrf: 'none' } }),
  start('no address', { start: { form: {} } }),
  start('no such address', { start: { form: { email: 'nonsense' } } }),
  start('two addresses', { start: { form: { email: 'a@b.example,c@d.example' } } }),
  start('own way to read addresses refuses', { provider: { normalizeIdentifier: fail } }),
  start('the message cannot be sent', {
    cannotSend: true,
  }),
  start('the store is down', { adapter: { createVerificationToken: async () => fail() } }),
  start('signIn answers true', { config: asking(() => true) }),
  start('signIn answers false', { config: asking(() => false) }),
  start('signIn answers a path', { config: asking(() => '/not-yet') }),
  start('signIn throws', { config: asking(fail) }),

  open('ok'),
  open('ok, sent as a form', { presses: true }),
  open('ok, sent as a form, JWT sessions', {
    presses: true,
    config: (_library, { spy }) => ({
      session: { strategy: 'jwt' },
      callbacks: { jwt: spy('callbacks.jwt', ({ token }) => token) },
    }),
  }),
  open('somebody new', { isNew: true, presses: true }),
  open('somebody new, with a page for that', {
    isNew: true,
    presses: true,
    config: () => ({ pages: { newUser: '/welcome' } }),
  }),
  open('somebody whose address nobody had proved', { isUnproven: true, presses: true }),
  open('somebody whose address nobody had proved, JWT sessions', {
    isUnproven: true,
    presses: true,
    config: (_library, { spy }) => ({
      session: { strategy: 'jwt' },
      callbacks: { jwt: spy('callbacks.jwt', ({ token }) => token) },
    }),
  }),
  open('ok, in another browser', { presses: true, elsewhere: true }),
  open('ok without the page', { provider: { confirm: false } }),
  open('ok without the page, in another browser', {
    provider: { confirm: false },
    elsewhere: true,
  }),
  open('a form without CSRF token', { open: { method: 'POST', csrf: 'none' } }),
  open('ok with two secrets', {
    presses: true,
    config: ({ core }) => ({
      secret: [SECRET, OLD_SECRET],
      skipCSRFCheck: core.skipCSRFCheck,
    }),
  }),
  open('twice', { presses: true, twice: true }),
  open('another token', {
    presses: true,
    change: link => link.searchParams.set('token', 'another'),
  }),
  open('no token', { presses: true, change: link => link.searchParams.delete('token') }),
  open('another address', {
    presses: true,
    change: link => link.searchParams.set('email', 'bob@example.com'),
  }),
  open('too late', { presses: true, provider: { maxAge: -60 } }),
  open('HEAD', { open: { method: 'HEAD' } }),
  open('signIn answers false', { presses: true, config: asking(isRequest => isRequest) }),
  open('signIn answers a path', {
    presses: true,
    config: asking(isRequest => isRequest || '/not-yet'),
  }),
  open('the store is down', {
    presses: true,
    adapter: { useVerificationToken: async () => fail() },
  }),
  open('somebody else is signed in', {
    presses: true,
    open: { cookies: { [cookieNames(HTTPS).session]: 'row-1' } },
    adapter: {
      getSessionAndUser: async () => ({
        session: { sessionToken: 'row-1', userId: 'u2', expires: new Date(NOW + 1e9) },
        user: { ...ann, id: 'u2' },
      }),
    },
  }),
]
