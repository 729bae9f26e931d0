import type { RelayingParty, WebAuthnConfig } from '../providers/webauthn.ts'

/** The site that passkeys are made for: what the application says, else where it is. */
export function relyingPartyOf(
  configured: WebAuthnConfig['relayingParty'],
  origin: string,
): RelayingParty {
  const { host, hostname } = new URL(origin)
  return {
    id: firstOf(configured?.id) ?? hostname,
    name: firstOf(configured?.name) ?? host,
    origin: configured?.origin ?? origin,
  }
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}
