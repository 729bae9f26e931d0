import { AdapterError } from '../base/errors.ts'
import type { RevocationEntry, RevocationLog, RevocationPage } from '../base/stores.ts'
import { splitInto } from '../session/split-into.ts'
import type { RevokedKeys } from './keys/revoked-keys.ts'

/** Notices that the store has lost entries, and writes back those that this process holds. */
export interface LostEntries {
  /** Throws {@link EntriesLost} until this process has written back what it holds. */
  assertRestored(): void
  /** Compares the epoch that the store has returned with the one before. Throws {@link EntriesLost} if entries were lost. */
  check(epoch: RevocationPage['epoch']): void
}

/** Entries of the log were lost, and are being written back. */
export class EntriesLost extends AdapterError {}

/** As many as a log has to record at once. */
const MAX_RESTORED = 500

/** Makes the {@link LostEntries} of a process. */
export function createLostEntries(
  log: RevocationLog,
  view: Pick<RevokedKeys, 'held'>,
): LostEntries {
  let previousEpoch: string | null = null
  /** Why this process cannot tell yet what was revoked. */
  let loss: EntriesLost | null = null
  let isRestoring = false

  /** Writes back all entries. If the store loses them meanwhile, the next poll begins again. */
  async function restore(write: NonNullable<RevocationLog['restore']>): Promise<void> {
    let begun: string | null = null
    for (const part of inParts(view.held())) {
      await write(part)
      begun ??= await readEpoch()
    }
    const current = await readEpoch()
    if (begun !== null && current !== begun) return
    previousEpoch = current
    loss = null
  }

  async function readEpoch(): Promise<string | null> {
    return (await log.since(TO_COME)).epoch ?? null
  }

  function assertRestored(): void {
    if (!loss) return
    if (!isRestoring && log.restore) {
      isRestoring = true
      restore(log.restore)
        .catch(() => {}) // The next poll tries again.
        .finally(() => {
          isRestoring = false
        })
    }
    throw loss
  }

  return {
    assertRestored,
    check(epoch) {
      const before = previousEpoch
      if (epoch !== undefined) previousEpoch = epoch
      if (before === null || epoch === before || epoch === undefined || !log.restore) return
      // What was forgotten had nothing left to end.
      if (view.held()[Symbol.iterator]().next().done) return
      loss = new EntriesLost(
        'The store has lost entries of the log of ended sessions, as it does if it evicts keys. This process writes back those that it holds.',
      )
      assertRestored()
    },
  }
}

/** Since then, nothing has changed in any log. */
export const TO_COME: Date = new Date(Date.UTC(9999, 0))

/** Entries in parts that a log records at once. */
function* inParts(
  held: Iterable<readonly RevocationEntry[]>,
): Iterable<readonly RevocationEntry[]> {
  let waiting: readonly RevocationEntry[] = []
  for (const entries of held) {
    waiting = waiting.concat(entries)
    if (waiting.length < MAX_RESTORED) continue
    yield* splitInto(waiting, MAX_RESTORED)
    waiting = []
  }
  yield* splitInto(waiting, MAX_RESTORED)
}
