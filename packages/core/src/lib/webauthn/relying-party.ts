import { InvalidConfiguration } from '../base/errors.ts'
import type { HostTrust } from '../http/origin.ts'
import type { RelayingParty, WebAuthnConfig } from '../providers/webauthn.ts'

/** Where an application is, as far as a request does not decide it. */
export interface ConfiguredAddress {
  /** The origin from AUTH_URL. */
  readonly origin: string | undefined
  readonly trustHost: HostTrust
}

/**
 * The site of passkeys: the configured one, otherwise the request's own.
 *
 * @param origin where the request was sent to
 */
export function relyingPartyOf(
  configured: WebAuthnConfig['relayingParty'],
  origin: string,
  address: ConfiguredAddress,
): RelayingParty {
  const { host, hostname } = new URL(origin)
  const id = idOf(configured) ?? hostname
  if (id !== hostname && configured?.origin === undefined && !isPinned(address)) {
    throw new InvalidConfiguration(originMissing(id))
  }
  return {
    id,
    name: firstOf(configured?.name) ?? host,
    origin: configured?.origin ?? origin,
  }
}

/**
 * Whether requests cannot choose the host. If they can, and an id covers several hosts, the server of another of them
 * could send an assertion made there on to here, with its own name as the host.
 */
export function isPinned({ origin, trustHost }: ConfiguredAddress): boolean {
  if (origin !== undefined) return true
  return typeof trustHost === 'object' && !trustHost.some(each => each.includes('*'))
}

/** Handles an id that is not the host, if requests can choose the host. */
export function originMissing(id: string): string {
  return (
    `relayingParty.id is ${JSON.stringify(id)}, which other hosts may use as well. Set relayingParty.origin to ` +
    'the origins where passkeys are used, such as "https://app.example.com", or set AUTH_URL.'
  )
}

/** The id that is configured, if one is. */
export function idOf(configured: WebAuthnConfig['relayingParty']): string | undefined {
  return firstOf(configured?.id)
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}
