// What is used of SvelteKit, which is too large to install for its types alone. Applications see the real ones, and
// conformance/sveltekit is compiled with them.

declare module '@sveltejs/kit' {
  export interface RequestEvent {
    readonly request: Request
    readonly url: URL
    readonly locals: App.Locals
    readonly cookies: Cookies
    fetch: typeof fetch
    readonly isDataRequest: boolean
    readonly isSubRequest: boolean
    /** Older versions know no remote functions. */
    readonly isRemoteRequest?: boolean
    readonly platform: Readonly<App.Platform> | undefined
    readonly route: { readonly id: string | null }
    getClientAddress(): string
  }

  export interface Cookies {
    set(name: string, value: string, options: CookieOptions & { path: string }): void
    serialize(name: string, value: string, options: CookieOptions & { path: string }): string
  }

  export interface CookieOptions {
    domain?: string | undefined
    encode?: ((value: string) => string) | undefined
    expires?: Date | undefined
    httpOnly?: boolean | undefined
    maxAge?: number | undefined
    sameSite?: 'lax' | 'strict' | 'none' | undefined
    secure?: boolean | undefined
    partitioned?: boolean | undefined
  }

  export type Handle = (input: {
    event: RequestEvent
    resolve(event: RequestEvent): Response | Promise<Response>
  }) => Response | Promise<Response>

  export interface ActionFailure<Data> {
    readonly status: number
    readonly data: Data
  }

  export function fail<Data>(status: number, data: Data): ActionFailure<Data>
  export function redirect(status: 303, location: string): never
  export function isRedirect(
    thrown: unknown,
  ): thrown is { readonly status: number; readonly location: string }
  export function error(status: number, message: string): never
  export function isHttpError(
    thrown: unknown,
  ): thrown is { readonly status: number; readonly body: { readonly message: string } }
}

declare module '@sveltejs/kit/hooks' {
  import type { Handle } from '@sveltejs/kit'
  export function sequence(...handlers: Handle[]): Handle
}

declare module '$app/environment' {
  export const building: boolean
}

declare module '$env/dynamic/private' {
  export const env: Readonly<Record<string, string | undefined>>
}
