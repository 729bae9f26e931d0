import type { Blocklist } from '../providers/password.ts'
import { sha1Of } from './pwned-passwords.ts'

/** Longer than any line. */
const PIECE = 128

/**
 * Knows passwords that were published, from a file: one hash by SHA-1 in each line, sorted, as
 * PwnedPasswordsDownloader writes them. Nothing leaves the server, and little of the file is read.
 *
 * @example
 * ```ts
 * import { pwnedPasswordsFile } from '@siteauth/core/passwords'
 *
 * export const rules = { blocklist: pwnedPasswordsFile('/srv/pwned-passwords.txt') }
 * ```
 */
export function pwnedPasswordsFile(path: string): Blocklist {
  return async password => {
    const fs = globalThis.process?.getBuiltinModule?.('node:fs/promises')
    if (!fs) throw new Error('This runtime has no files: use pwnedPasswords() instead.')
    const file = await fs.open(path)
    try {
      return await contains(file, sha1Of(password))
    } finally {
      await file.close()
    }
  }
}

type Readable = Pick<import('node:fs/promises').FileHandle, 'read' | 'stat'>

/** Halves the file until the line is found, or could no longer be there. */
async function contains(file: Readable, hash: string): Promise<boolean> {
  let [from, to] = [0, (await file.stat()).size]
  while (from < to) {
    const line = await lineAt(file, Math.floor((from + to) / 2))
    const found = line.text.slice(0, hash.length).toUpperCase()
    if (found === hash) return true
    if (found < hash) from = line.end
    else to = line.start
  }
  return false
}

/** The line around a place: where it starts, and where the next one does. */
async function lineAt(file: Readable, place: number) {
  const begin = Math.max(0, place - PIECE)
  const { buffer, bytesRead } = await file.read(new Uint8Array(2 * PIECE), 0, 2 * PIECE, begin)
  const text = new TextDecoder('latin1').decode(buffer.subarray(0, bytesRead))
  const start = place === begin ? 0 : text.lastIndexOf('\n', place - begin - 1) + 1
  const next = text.indexOf('\n', start)
  const stop = next < 0 ? text.length : next
  return { text: text.slice(start, stop), start: begin + start, end: begin + stop + 1 }
}
