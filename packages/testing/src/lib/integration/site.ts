import assert from 'node:assert/strict'
import type { CaughtMail } from '../mail/caught-mail.ts'
import { type RunningProvider, startFakeProvider } from '../provider/start-fake-provider.ts'
import { Visitor } from '../visitor.ts'
import { openMailDrop } from './mail-drop.ts'
import { PASSWORD, writeSettings } from './suite-variables.ts'

/** Where sessions are kept. */
export type SessionKind = 'cookie' | 'database'

/** The variables that an application under test needs. */
export type SiteVariables = Readonly<Record<string, string>>

/** An application under test, and all that surrounds it. */
export interface Site {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string
  /** The URL of the endpoints. */
  readonly base: string
  readonly provider: RunningProvider
  /** The latest message to an address. */
  mailTo(address: string): Promise<CaughtMail>
  /** A browser that nobody has used yet. */
  visitor(): Visitor
  /** A browser in which somebody has signed in with credentials. */
  visitorAs(name: string): Promise<Visitor>
  /** Sends a request to a path of the application, and keeps the cookies. */
  visit(visitor: Visitor, path: string, init?: RequestInit): Promise<Response>
  /** Who somebody is, as the application's own API says. */
  nameOf(visitor: Visitor, headers?: Record<string, string>): Promise<string | null>
}

/** A secret of good length, for the suite alone. */
export const SUITE_SECRET = 'a secret for the suite, 32 characters'

/** How an application under test is started. */
export interface SiteSettings {
  readonly sessions: SessionKind
  readonly basePath: string
  /** Where its guards are. Defaults to `routes`. */
  readonly guard?: 'routes' | 'front' | undefined
}

/**
 * Opens what surrounds an application: a provider and a box for its mail. For runners other than Vitest.
 *
 * @param start is given the variables of the application, and resolves with its origin
 */
export async function openSite(
  { sessions, basePath, guard = 'routes' }: SiteSettings,
  start: (env: SiteVariables) => Promise<{ origin: string; stop(): unknown }>,
): Promise<Site & { close(): Promise<void> }> {
  const mail = await openMailDrop()
  const provider = await startFakeProvider()
  const { issuer, clientId, clientSecret } = provider
  const application = await start({
    AUTH_SECRET: SUITE_SECRET,
    ...writeSettings({ sessions, guard, basePath, issuer, clientId, clientSecret, mail: mail.url }),
  })
  const { origin } = application
  const base = origin + basePath
  const visitor = () => new Visitor(sendAsBrowser, base)
  const visit = (by: Visitor, path: string, init?: RequestInit) => by.send(origin + path, init)
  return {
    origin,
    base,
    provider,
    mailTo: address => mail.box.waitFor(address),
    visitor,
    visit,
    async visitorAs(name) {
      const someone = visitor()
      await someone.post('/callback/credentials', { name, password: PASSWORD })
      return someone
    },
    async nameOf(by, headers = {}) {
      const response = await visit(by, '/api/me', { headers })
      assert.equal(response.status, 200, 'the status of /api/me')
      const session = (await response.json()) as { user?: { name?: string; email?: string } } | null
      return session?.user?.name ?? session?.user?.email ?? null
    },
    async close() {
      await application.stop()
      await Promise.all([mail.close(), provider.close()])
    },
  }
}

/** Browsers say where a form is from, and some frameworks refuse those that do not. */
function sendAsBrowser(sent: Request): Promise<Response> {
  const request = new Request(sent, { redirect: 'manual' })
  const isForm = request.method !== 'GET' && request.method !== 'HEAD'
  if (isForm && !request.headers.has('origin')) {
    const { protocol, host } = new URL(request.url)
    const scheme = request.headers.get('x-forwarded-proto') ?? protocol.slice(0, -1)
    const name = request.headers.get('x-forwarded-host') ?? host
    request.headers.set('origin', `${scheme}://${name}`)
  }
  return fetch(request)
}
