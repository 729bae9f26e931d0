/**
 * A hash as a text that describes how it was made, by the PHC string format: `$scrypt$ln=17,r=8,p=1$<salt>$<hash>`.
 */
export interface PhcString {
  readonly id: string
  /** Absent where the algorithm has had no versions. */
  readonly version?: number | undefined
  readonly parameters: Readonly<Record<string, number>>
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

/** Writes a hash. */
export function writePhc({ id, version, parameters, salt, hash }: PhcString): string {
  const numbers = Object.entries(parameters).map(([name, value]) => `${name}=${value}`)
  const parts = [id, ...(version === undefined ? [] : [`v=${version}`]), numbers.join(',')]
  return `$${[...parts, toB64(salt), toB64(hash)].join('$')}`
}

/** Reads a hash; null if the text is not one. */
export function readPhc(text: string): PhcString | null {
  const match = PHC.exec(text)
  if (!match) return null
  const [, id = '', version, numbers = '', salt = '', hash = ''] = match
  const parameters: Record<string, number> = Object.create(null)
  for (const pair of numbers.split(',')) {
    const [name = '', value] = pair.split('=')
    if (name in parameters) return null
    parameters[name] = Number(value)
  }
  return {
    id,
    version: version === undefined ? undefined : Number(version),
    parameters,
    salt: fromB64(salt),
    hash: fromB64(hash),
  }
}

const PHC =
  /^\$([a-z0-9-]{1,32})(?:\$v=(\d{1,5}))?\$((?:[a-z0-9-]+=\d{1,9})(?:,[a-z0-9-]+=\d{1,9})*)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Base 64 without the padding, as the format has it. */
function toB64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll('=', '')
}

function fromB64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}
