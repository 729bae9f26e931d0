import type { CheckedSession, ConfigLoader, SessionConfig } from '@siteauth/core/internal'
import { load } from '../load.ts'
import { RECEIPT_HEADER } from '../proxy-headers.ts'
import type { SessionReader } from '../read/session-reader.ts'
import { addressOf } from '../request-url.ts'

/** The session of a request in a proxy or a route handler, with the cookies to set. */
export interface ReadRequest {
  readonly session: CheckedSession['session']
  /** Tells the browser of new cookies, and what lies behind a proxy of them and of the read. */
  applyTo(response: Response): Response
}

/** Where a request is read: a proxy is the first to see it, and a route handler may be behind one. */
interface Reading {
  readonly config: SessionConfig
  readonly loader: ConfigLoader
  readonly reader: SessionReader
  readonly isRoute?: boolean | undefined
}

/** Reads and renews the session of a request. */
export async function requestSession(
  { config, loader, reader, isRoute }: Reading,
  request: Request,
): Promise<ReadRequest> {
  const receipt = request.headers.get(RECEIPT_HEADER)
  const { session, cookies: renewed } = await reader.read(config, {
    key: request,
    address: addressOf(request),
    cookies: () => request.headers.get('cookie'),
    renew: true,
    // In a proxy a receipt came from outside.
    hasRunCallback:
      isRoute && receipt
        ? async (...given) => (await load('rareCases')).receiptCheck(config, receipt)(...given)
        : undefined,
  })
  const cookies =
    session && config.storesTokens && !isRoute
      ? await (await load('tokens')).withFreshTokens(loader, request, renewed)
      : renewed
  // As it nearly always is: there is nothing to tell anyone.
  if (!cookies.length && !config.callbacks.jwt && receipt === null) {
    return { session, applyTo: response => response }
  }
  const { sessionApplier } = await load('rareCases')
  return { session, applyTo: await sessionApplier(config, request, { session, cookies }) }
}
