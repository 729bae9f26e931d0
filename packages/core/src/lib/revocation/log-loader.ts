import type { RevocationEntry, RevocationLog, RevocationPage } from '../base/stores.ts'
import type { RevokedKeys } from './keys/revoked-keys.ts'

/** A poll by the store's clock and by one that cannot be set. */
export interface PollTime {
  readonly store: number
  readonly ticks: number
}

/** What a process has read of a log so far. */
interface LoadedPart {
  /** When the first page was read. What was recorded since then may be missing. */
  readonly begun: PollTime
  /** When the last page was read. */
  readonly store: number
  readonly isLast: boolean
  /** Whether everything was in one page. */
  readonly isOnly: boolean
}

/** Reads the whole of a log. A page that cannot be read is read again the next time; those before it are kept. */
export type LogLoader = () => Promise<LoadedPart>

/** Makes a {@link LogLoader} for a log that returns pages. */
export function createLogLoader(
  page: NonNullable<RevocationLog['page']>,
  view: Pick<RevokedKeys, 'add'>,
): LogLoader {
  let cursor: string | null = null
  let begun: PollTime | null = null
  return async () => {
    const ticks = performance.now()
    const { revocations, now, next }: RevocationPage = await page(cursor)
    const store = now.getTime()
    const isOnly = begun === null && next === null
    begun ??= { store, ticks }
    await addAll(view, revocations)
    cursor = next
    return { begun, store, isLast: next === null, isOnly }
  }
}

/** After so many entries, requests have a turn. */
const BATCH = 1000

/** Adds entries to a view, without keeping the process from anything else for long. */
export async function addAll(
  view: Pick<RevokedKeys, 'add'>,
  revocations: readonly RevocationEntry[],
): Promise<void> {
  for (const [index, revocation] of revocations.entries()) {
    view.add(revocation)
    if (index % BATCH === BATCH - 1) await new Promise(resolve => setTimeout(resolve))
  }
}
