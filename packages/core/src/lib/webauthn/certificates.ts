import { fromStored, toStored } from './encode-id.ts'

/** An X.509 certificate in DER. */
export type Certificate = Uint8Array<ArrayBuffer>

const PEM = /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/g

/** The certificates in a text in PEM, which may hold several. Empty if there are none, or if one is malformed. */
export function readCertificates(pem: string): readonly Certificate[] {
  const all = [...pem.matchAll(PEM)].map(([, base64 = '']) => fromStored(base64.replace(/\s/g, '')))
  return all.every(each => each !== null && each[0] === SEQUENCE) ? (all as Certificate[]) : []
}

/** The beginning of every certificate: RFC 5280 §4.1. */
const SEQUENCE = 0x30

/** A certificate in PEM. */
export function toPem(certificate: Certificate): string {
  const lines = toStored(certificate).match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
