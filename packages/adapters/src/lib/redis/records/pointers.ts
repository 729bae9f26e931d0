import type { RedisCommands } from '../redis-client.ts'
import { SCRIPTS } from '../scripts.ts'

/**
 * Keys that lead to a user from elsewhere: from an address, an account or a passkey. They are in other
 * slots than the user, so no script writes both; a pointer to something missing means nothing.
 */
export interface Pointers {
  read(key: string): Promise<string | null>
  /**
   * Makes a key point to a target, unless it points to another one that exists. A pointer to nothing is left over and
   * may be replaced.
   */
  claim(key: string, target: string, exists: (target: string) => Promise<boolean>): Promise<boolean>
  /** Removes a pointer if it still points there. */
  release(key: string, target: string): Promise<void>
}

export function createPointers({ send, runScript }: RedisCommands): Pointers {
  async function read(key: string): Promise<string | null> {
    const text = await send('get', key)
    return text === null || text === undefined ? null : String(text)
  }

  return {
    read,
    async claim(key, target, exists) {
      let expected = ''
      for (let attempt = 0; attempt < 10; attempt++) {
        const current = await runScript(SCRIPTS.replacePointer, [key], [expected, target])
        if (current === target) return true
        expected = String(current)
        if (expected !== '' && (await exists(expected))) return false
      }
      return false
    },
    async release(key, target) {
      await runScript(SCRIPTS.releasePointer, [key], [target])
    },
  }
}
