import type { AuthConfig, AuthInstance } from '@siteauth/core'
import { AccessTokenError } from '@siteauth/core/errors'
import type { AccessTokenOptions } from '@siteauth/core/types'
import { type CompleteAdapter, MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, type Recorded, Visitor } from '../visitor.ts'
import { createRotatingProvider, type RotatingProvider } from './rotating-provider.ts'

export const STRATEGIES = ['database', 'jwt'] as const

/** A server of the application: several may share a store, as several processes do. */
type Node = AuthInstance & Recorded

/** An application whose people sign in with a provider that rotates refresh tokens. */
export interface World {
  readonly provider: RotatingProvider
  readonly adapter: CompleteAdapter
  readonly clock: { now: number }
  readonly auth: Node
  /** One more server, with the same store. */
  node(config?: Partial<AuthConfig>): Node
  signIn(
    login: string,
    how?: { readonly id?: string; readonly visitor?: Visitor },
  ): Promise<Visitor>
}

export function createWorld(
  config: Partial<AuthConfig> = {},
  strategy: (typeof STRATEGIES)[number] = 'database',
): World {
  const provider = createRotatingProvider()
  const adapter = MemoryAdapter()
  const clock = { now: Date.now() }
  const node = (more: Partial<AuthConfig> = {}) =>
    createTestAuth({
      adapter,
      providers: [provider.config()],
      ports: { now: () => clock.now, fetch: provider.fetch },
      session: { strategy },
      ...config,
      ...more,
    })
  const auth = node()

  async function signIn(
    login: string,
    { id = 'op', visitor = new Visitor(auth.handle) }: Parameters<World['signIn']>[1] = {},
  ): Promise<Visitor> {
    const started = await visitor.post(`/signin/${id}`)
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state')
    await visitor.send(
      `/callback/${id}?${new URLSearchParams({ code: login, state: state ?? '' })}`,
    )
    return visitor
  }

  return { provider, adapter, clock, auth, node, signIn }
}

/** The request of a browser, as functions of the application get it. */
export function requestOf(visitor: Visitor): Request {
  return new Request('https://app.example.com/page', {
    headers: { cookie: visitor.cookieHeader() },
  })
}

/** The access token that a server has for a visitor, or the code of the error. */
export async function tokenOf(
  auth: AuthInstance,
  visitor: Visitor,
  wish?: AccessTokenOptions & { readonly provider?: string; readonly canSetCookies?: boolean },
): Promise<string> {
  try {
    const { provider = 'op', canSetCookies = true, ...rest } = wish ?? {}
    const request = requestOf(visitor)
    // Once they have been taken, no more can be set.
    if (!canSetCookies) auth.takeSetCookies(request)
    const { accessToken } = await auth.accounts.getAccessToken(request, provider, rest)
    keepCookies(visitor, auth.takeSetCookies(request))
    return accessToken
  } catch (error) {
    if (error instanceof AccessTokenError) return error.code
    throw error
  }
}

export function keepCookies(visitor: Visitor, setCookies: readonly string[]): void {
  for (const line of setCookies) {
    const [pair = ''] = line.split('; ')
    const at = pair.indexOf('=')
    if (line.includes('Max-Age=0')) visitor.cookies.delete(pair.slice(0, at))
    else visitor.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/** Something that others wait for until it is opened. */
export function createGate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {}
  const passed = new Promise<void>(resolve => {
    open = resolve
  })
  return { passed, open }
}
