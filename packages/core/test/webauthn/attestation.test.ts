import * as server from '@simplewebauthn/server'
import type { WebAuthnConfig } from '@siteauth/core/providers/webauthn'
import { describe, expect, it } from 'vitest'
import { type Issued, issueCertificate } from './certificates.ts'
import { ADA, createPasskeyApplication, ORIGIN, outcomeOf } from './passkey-application.ts'
import type { Tampering } from './software-authenticator.ts'

const MODEL = 'cb69481e-8ff7-4039-93ec-0a2729a154a8'
const ROOT_NAME = { O: 'Maker', CN: 'Root' }

const root = issueCertificate({ name: ROOT_NAME, isAuthority: true })
const intermediate = issueCertificate({
  name: { O: 'Maker', CN: 'Intermediate' },
  issuer: root,
  isAuthority: true,
})
const device = issueCertificate({ name: { O: 'Maker', CN: 'Device' }, issuer: root })
const other = issueCertificate({ name: { O: 'Other', CN: 'Root' }, isAuthority: true })

/** A device that signs with the key of its own certificate, and sends the others along. */
const attested = (own: Issued, ...others: readonly Issued[]): Tampering => ({
  format: 'packed',
  attestedBy: { certificates: [own, ...others].map(each => each.der), privateKey: own.privateKey },
})

/** Registers a passkey where devices must prove what they are. Answers where that leads. */
async function register(
  tampering: Tampering,
  requireAttestation: WebAuthnConfig['requireAttestation'] = { trustAnchors: [root.pem] },
): Promise<string> {
  const application = createPasskeyApplication({ provider: { requireAttestation } })
  const outcome = outcomeOf(await application.person().register(ADA, tampering))
  const user = await application.adapter.getUserByEmail(ADA)
  expect(user !== null).toBe(outcome === ORIGIN)
  return outcome
}

describe('WebAuthn Level 3 §7.1 steps 21 to 24, where devices must prove what they are', () => {
  it.each<[string, Tampering]>([
    ['a trust anchor', attested(device)],
    ['one that a trust anchor issued', attested(issue(intermediate), intermediate)],
    ['a trust anchor, which is sent along', attested(device, root)],
  ])('accept a certificate that was issued by %s', async (_, tampering) => {
    expect(await register(tampering)).toBe(ORIGIN)
  })

  it('accept a certificate that is a trust anchor itself', async () => {
    expect(await register(attested(device), { trustAnchors: [device.pem] })).toBe(ORIGIN)
  })

  it('accept any of the trust anchors, of which a text may hold several', async () => {
    const trustAnchors = [other.pem, `# Maker\n${intermediate.pem}\n${root.pem}`]
    expect(await register(attested(device), { trustAnchors })).toBe(ORIGIN)
    expect(await register(attested(issue(other)), { trustAnchors })).toBe(ORIGIN)
  })

  it.each<[string, Tampering]>([
    ['nothing', {}],
    ['a statement that the new key itself signed', { format: 'packed' }],
    ['an empty list of certificates', { ...attested(device), attestedBy: emptyListOf(device) }],
    ['a certificate of its own', attested(issueCertificate({ name: { O: 'Yubico', CN: 'Key' } }))],
    [
      'a certificate of its own, and the trust anchor after it',
      attested(issueCertificate({ name: { O: 'Yubico', CN: 'Key' } }), root),
    ],
    [
      'a certificate of its own, and a chain after it that leads to the trust anchor',
      attested(issueCertificate({ name: { O: 'Yubico', CN: 'Key' } }), intermediate, root),
    ],
    ['a certificate of another manufacturer', attested(issue(other), other)],
    [
      'a certificate by another key that has the name of the trust anchor',
      attested(issue(issueCertificate({ name: ROOT_NAME, isAuthority: true }))),
    ],
    [
      'the certificate of another device, and one that this one issued',
      attested(issue(device), device),
    ],
    [
      'a certificate that has expired',
      attested(
        issueCertificate({
          name: { O: 'Maker', CN: 'Old' },
          issuer: root,
          notAfter: new Date(Date.now() - 1000),
        }),
      ),
    ],
    [
      'the certificate of another device, whose key it does not have',
      { ...attested(device), forgeStatement: true },
    ],
  ])('refuse a device that sends %s', async (_, tampering) => {
    expect(await register(tampering)).toBe('WebAuthnVerificationError')
  })

  it('accept only the models that are listed', async () => {
    const requirements = { trustAnchors: [root.pem], aaguids: [MODEL.toUpperCase()] }
    expect(await register({ ...attested(device), aaguid: MODEL }, requirements)).toBe(ORIGIN)
    const another = { ...attested(device), aaguid: MODEL.replace('c', 'd') }
    expect(await register(another, requirements)).toBe('WebAuthnVerificationError')
  })

  it('have browsers be asked for the proof', async () => {
    const provider = { requireAttestation: { trustAnchors: [root.pem] } }
    const asked = { action: 'register', email: ADA }
    const options = await createPasskeyApplication({ provider }).person().options(asked)
    expect(options).toMatchObject({ attestation: 'direct' })
    const unasked = await createPasskeyApplication().person().options(asked)
    expect(unasked).toMatchObject({ attestation: 'none' })
  })

  it('accept nobody with a SimpleWebAuthn that cannot check certificates', async () => {
    const requireAttestation = { trustAnchors: [root.pem] }
    const application = createPasskeyApplication({
      provider: { requireAttestation, simpleWebAuthn: server },
    })
    const outcome = outcomeOf(await application.person().register(ADA, attested(device)))
    expect(outcome).toBe('Configuration')
    expect(application.errors[0]?.message).toContain('@simplewebauthn/server/helpers')
  })
})

/** A device of a manufacturer. */
function issue(issuer: Issued): Issued {
  return issueCertificate({ name: { O: issuer.name.O, CN: 'Another device' }, issuer })
}

function emptyListOf({ privateKey }: Issued): NonNullable<Tampering['attestedBy']> {
  return { certificates: [], privateKey }
}
