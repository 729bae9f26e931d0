import {
  type AuthError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  MissingWebAuthnAutocomplete,
} from '../../base/errors.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'
import { readCertificates } from '../../webauthn/certificates.ts'
import { idOf, isPinned, originMissing } from '../../webauthn/relying-party.ts'
import { areTexts, type ConfigSources } from '../sources.ts'

/** The problems with providers of passkeys. */
export function passkeyProblems(
  providers: readonly ProviderObject[],
  sources: ConfigSources,
): readonly AuthError[] {
  const all = providers.filter((each): each is WebAuthnConfig => each.type === 'webauthn')
  if (all.length === 0) return []
  const problems: AuthError[] = []
  if (!sources.options.experimental?.enableWebAuthn) {
    problems.push(
      new ExperimentalFeatureNotEnabled('Set `experimental.enableWebAuthn` to use WebAuthn.'),
    )
  }
  const conditional = all.filter(each => each.enableConditionalUI)
  if (conditional.length > 1) {
    problems.push(
      new DuplicateConditionalUI('Only one WebAuthn provider may set `enableConditionalUI`.'),
    )
  }
  for (const { id, formFields } of conditional) {
    const isOffered = Object.values(formFields ?? {}).some(field =>
      String(field['autocomplete'] ?? '').includes('webauthn'),
    )
    if (!isOffered) {
      problems.push(
        new MissingWebAuthnAutocomplete(
          `The provider "${id}" needs a form field with "webauthn" in its \`autocomplete\`.`,
        ),
      )
    }
  }
  return [
    ...problems,
    ...all
      .flatMap(each => [...attestationProblems(each), ...hostProblems(each, sources)])
      .map(each => new InvalidConfiguration(each)),
  ]
}

const AAGUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A device's statement proves nothing unless it leads to a certificate that the application trusts. */
function attestationProblems({ id, requireAttestation, registrationOptions }: WebAuthnConfig) {
  if (!requireAttestation) return []
  const option = `requireAttestation of the provider "${id}"`
  const { trustAnchors, aaguids } = requireAttestation
  const anchors: readonly unknown[] = Array.isArray(trustAnchors) ? trustAnchors : []
  const isCertificate = (each: unknown) =>
    typeof each === 'string' && readCertificates(each).length > 0
  return [
    !(anchors.length > 0 && anchors.every(isCertificate)) &&
      `${option} needs trustAnchors: the root certificates, in PEM, of the manufacturers whose devices you ` +
        'accept. Without them, anyone can make a device that claims to be another.',
    aaguids !== undefined &&
      !(Array.isArray(aaguids) && aaguids.length > 0 && aaguids.every(each => AAGUID.test(each))) &&
      `${option} lists aaguids, which must be the ids of models, such as "cb69481e-8ff7-4039-93ec-0a2729a154a8".`,
    registrationOptions?.attestationType === 'none' &&
      `${option} needs the proof that registrationOptions.attestationType: 'none' has browsers leave out.`,
  ].filter(each => typeof each === 'string')
}

/** The check before the first request: a pattern lists hosts that may belong to others. */
function hostProblems(
  { relayingParty, getRelayingParty }: WebAuthnConfig,
  { envOptions, trustHost }: ConfigSources,
): readonly string[] {
  const id = idOf(relayingParty)
  if (getRelayingParty || id === undefined || relayingParty?.origin !== undefined) return []
  const isOpen = areTexts(trustHost) && !isPinned({ origin: envOptions.url?.origin, trustHost })
  return isOpen ? [originMissing(id)] : []
}
