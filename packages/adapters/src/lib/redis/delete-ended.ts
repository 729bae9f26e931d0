import { inChunks } from '../in-chunks.ts'
import { withTimeout } from '../with-timeout.ts'
import type { RedisTables } from './open-tables.ts'

/** How long a caller waits for the keys to be deleted, in milliseconds. The rest are deleted afterwards, or expire. */
const MAX_WAIT = 2000

/** Deletes the keys of sessions that have ended, because they are no longer listed. A failure leaves keys that expire. */
export async function deleteEnded(
  { send, keys }: Pick<RedisTables, 'send' | 'keys'>,
  tokens: readonly string[],
): Promise<void> {
  const deleted = inChunks(tokens, token => send('del', keys.session(token)))
  await withTimeout(MAX_WAIT, deleted).catch(() => {})
}
