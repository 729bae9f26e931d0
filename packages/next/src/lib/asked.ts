import type { SessionConfig } from '@siteauth/core/integration'

/** The request header by which a proxy tells the page behind it that the `jwt` callback was asked. */
export const ASKED_HEADER = 'x-siteauth-asked'

/** Whether the application has a `jwt` callback, to be asked once per request and no more. */
export function hasCallback({ callbacks, strategy }: SessionConfig): boolean {
  return strategy === 'jwt' && callbacks.jwt !== undefined
}
