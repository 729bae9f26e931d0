import type { AuthConfig } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import Passkey from '@siteauth/core/providers/passkey'
import type { WebAuthnConfig, WebAuthnUserConfig } from '@siteauth/core/providers/webauthn'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, type Recorded, Visitor } from '../visitor.ts'
import {
  type CredentialJson,
  type Options,
  SoftwareAuthenticator,
  type Tampering,
} from './software-authenticator.ts'

export const ORIGIN = 'https://app.example.com'
export const ADA = 'ada@example.com'
export const BOB = 'bob@example.com'

/** An application with passkeys, a clock that can be set, and what its store was asked. */
export interface PasskeyApplication extends Recorded {
  readonly adapter: Required<Adapter>
  /** The methods of the store that were called. */
  readonly calls: string[]
  readonly clock: { now: number }
  readonly provider: WebAuthnConfig
  /** @param origin where the requests of the person's browser go */
  person(device?: SoftwareAuthenticator, origin?: string): Person
}

export function createPasskeyApplication({
  kind = Passkey,
  provider: over = {},
  config = {},
  adapter: given = MemoryAdapter() as Adapter,
  env = { AUTH_URL: `${ORIGIN}/auth` },
}: {
  kind?: (config: WebAuthnUserConfig) => WebAuthnConfig
  provider?: WebAuthnUserConfig
  config?: Partial<AuthConfig>
  adapter?: Adapter
  env?: Readonly<Record<string, string>>
} = {}): PasskeyApplication {
  const clock = { now: Date.now() }
  const calls: string[] = []
  const adapter = spyOn(given, calls)
  const provider = kind({ allowSignUpWithUnprovenEmail: true, ...over })
  const { handle, ...recorded } = createTestAuth(
    {
      adapter,
      providers: [provider],
      experimental: { enableWebAuthn: true },
      ports: { now: () => clock.now },
      ...config,
    },
    env,
  )
  return {
    ...recorded,
    adapter: adapter as Required<Adapter>, // the memory adapter has every method
    calls,
    clock,
    provider,
    person: (device, origin = ORIGIN) =>
      new Person(new Visitor(handle, `${origin}/auth`), provider.id, device),
  }
}

function spyOn(adapter: Adapter, calls: string[]): Adapter {
  const methods = Object.entries(adapter).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      calls.push(name)
      return (method as (...args: unknown[]) => unknown)(...args) // each gets what it was called with
    },
  ])
  return Object.fromEntries(methods) as Adapter
}

/** A person with a browser and a device that keeps keys. */
export class Person {
  readonly browser: Visitor
  readonly device: SoftwareAuthenticator
  readonly #provider: string

  constructor(browser: Visitor, provider: string, device = new SoftwareAuthenticator(ORIGIN)) {
    this.browser = browser
    this.device = device
    this.#provider = provider
  }

  ask(query: Record<string, string> = {}): Promise<Response> {
    const search = new URLSearchParams(query)
    return this.browser.get(`/webauthn-options/${this.#provider}?${search}`)
  }

  async options(query: Record<string, string> = {}): Promise<Options> {
    const response = await this.ask(query)
    if (response.status !== 200) throw new Error(`no options: ${response.status}`)
    return ((await response.json()) as { options: Options }).options
  }

  answer(
    action: string,
    data: CredentialJson,
    fields: Record<string, string> = {},
  ): Promise<Response> {
    const body = { action, data: JSON.stringify(data), ...fields }
    return this.browser.post(`/callback/${this.#provider}`, body)
  }

  /** Makes a passkey: for the address, or for whoever is signed in. */
  async register(email?: string, tampering: Tampering = {}): Promise<Response> {
    const options = await this.options({ action: 'register', ...(email && { email }) })
    return this.answer('register', this.device.create(options, tampering))
  }

  async signIn(tampering: Tampering = {}, query: Record<string, string> = {}): Promise<Response> {
    const options = await this.options({ action: 'authenticate', ...query })
    return this.answer('authenticate', this.device.get(options, tampering))
  }

  signOut(): Promise<Response> {
    return this.browser.post('/signout')
  }

  async email(): Promise<string | null | undefined> {
    const session = (await this.browser.session()) as { user?: { email?: string | null } } | null
    return session?.user?.email
  }
}

/** Where an answer leads: to the application, or to a page that names an error. */
export function outcomeOf(response: Response): string {
  const location = response.headers.get('location')
  if (!location) return `status ${response.status}`
  return new URL(location).searchParams.get('error') ?? location
}
