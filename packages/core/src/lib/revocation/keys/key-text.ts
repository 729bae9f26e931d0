import { fnv } from './key-hash.ts'

/** What a key of the revocation log begins with: what it revokes. */
export type KeyKind = 's:' | 't:' | 'u:' | 'a:' | 'p:' | 'n:'

/** The longest name that stores accept: 255 ASCII characters with the prefix. */
const MAX_NAME_LENGTH = 253

/** A key as stores hold it. Apart from how keys are compared, since adapters need no more. */
export function keyText(kind: KeyKind, name: string): string {
  return kind + (isPlain(name) ? name : fitting(name))
}

/** Whether a name can stand as it is: short, visible ASCII, without what {@link escaped} begins with. */
export function isPlain(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && !/[^!-$&-~]/.test(name)
}

function fitting(name: string): string {
  const plain = name.replace(/[^!-$&-~]/g, escaped)
  return plain.length > MAX_NAME_LENGTH ? `${plain.slice(0, 240)}%${fnv(plain)}` : plain
}

/** Always as long, so that no two names come out the same. */
function escaped(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}
