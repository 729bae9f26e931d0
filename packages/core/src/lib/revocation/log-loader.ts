import type { RevocationEntry, RevocationLog, RevocationPage } from '../base/stores.ts'
import type { RevokedKeys } from './keys/revoked-keys.ts'

/** A poll by the store's clock and by one that cannot be set. */
export interface PollTime {
  readonly store: number
  readonly ticks: number
}

/** What a process has read of a log so far. */
interface LoadedPage {
  /** When the first page was read. What was recorded since then may be missing. */
  readonly begun: PollTime
  /** When the last page was read. */
  readonly store: number
  readonly isLast: boolean
  /** Whether everything was in one page. */
  readonly isOnly: boolean
  readonly epoch: RevocationPage['epoch']
}

/** Reads the whole of a log. A page that cannot be read is read again the next time; those before it are kept. */
export type LogLoader = () => Promise<LoadedPage>

/** Makes a {@link LogLoader} for a log that returns pages. */
export function createLogLoader(
  page: NonNullable<RevocationLog['page']>,
  view: Pick<RevokedKeys, 'add'>,
): LogLoader {
  let cursor: string | null = null
  let begun: PollTime | null = null
  return async () => {
    const ticks = performance.now()
    const { revocations, now, next, epoch }: RevocationPage = await page(cursor)
    const store = now.getTime()
    const isOnly = begun === null && next === null
    begun ??= { store, ticks }
    await addAll(view, revocations)
    cursor = next
    return { begun, store, isLast: next === null, isOnly, epoch }
  }
}

/** What a log has returned since a time. */
interface ReadEntries {
  /** The time of the store from before the first part. */
  readonly now: Date
  /** That of the last part. */
  readonly epoch: RevocationPage['epoch']
  /** How many entries there were. */
  readonly count: number
}

/** Reads what a log returns since a time, in as many parts as it has. */
export async function readSince(
  log: Pick<RevocationLog, 'since'>,
  time: Date | null,
  use: (revocations: readonly RevocationEntry[]) => unknown,
): Promise<ReadEntries> {
  const first = await log.since(time)
  await use(first.revocations)
  let { next, epoch } = first
  let count = first.revocations.length
  while (next != null) {
    const part = await log.since(time, next)
    await use(part.revocations)
    ;({ next, epoch } = part)
    count += part.revocations.length
  }
  return { now: first.now, epoch, count }
}

/** After so many entries, requests have a turn, */
const BATCH = 1000
/**
 * and after so many milliseconds. With five million entries, a single one may have a table grow, and move as many as a table has to
 * another filter: two of those in a turn would keep requests waiting for longer than one should.
 */
const MAX_TURN = 8

/** Adds entries to a view, without keeping the process from anything else for long. */
export async function addAll(
  view: Pick<RevokedKeys, 'add'>,
  revocations: readonly RevocationEntry[],
): Promise<void> {
  let [added, begun] = [0, performance.now()]
  for (const revocation of revocations) {
    view.add(revocation)
    added++
    if (performance.now() - begun < MAX_TURN && added % BATCH !== 0) continue
    await new Promise(resolve => setTimeout(resolve))
    begun = performance.now()
  }
}
