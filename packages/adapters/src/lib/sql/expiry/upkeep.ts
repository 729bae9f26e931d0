import { EXPIRING_TABLES, type ExpiringTable } from '../../table-rules.ts'
import { type WaitUntil, whenToCleanUp } from '../../when-to-clean-up.ts'
import { withTimeout } from '../../with-timeout.ts'
import type { SqlTables } from '../open-tables.ts'
import { inspectIndexes } from '../schema/inspect.ts'
import { type ExpiredRows, openExpiredRows } from './expired-rows.ts'

/** Removes expired rows without a scheduled job: now and then, when others are added. */
export interface Upkeep {
  /** Call it after rows were added, and await the result: undefined, unless the runtime may stop with the response. */
  afterAdding(table: ExpiringTable): Promise<void> | undefined
  /** Stops what goes on between requests. Resolves once it sends no more statements. */
  stop(): Promise<void>
}

/** How often a process removes expired rows, on average. It chooses each time anew, so that not all of them begin at once. */
const INTERVAL_MS = 600_000
/** So few that SQLite, which blocks the process, is done within a moment. */
const BATCH = 100
/** How long the database is left alone between two batches. */
const PAUSE_MS = 100

/** How many rows are removed in a request that has added some, or after its response, */
const IN_REQUEST = 20
const AFTER_RESPONSE = 100
/** and how often: so that more are removed than are added. */
const CHANCE = 0.1

export function createUpkeep(tables: SqlTables, waitUntil: WaitUntil | undefined): Upkeep {
  const when = whenToCleanUp(waitUntil)
  const find = rowsFinder(tables)
  const isDue = createSchedule()
  const { pause, stop, isStopped } = createPauses()
  let hasReported = false
  let working: Promise<void> | null = null

  /** Rows that are not removed now are the next time, or by another process. */
  function report(table: ExpiringTable, error: unknown): void {
    if (!hasReported) warn(tables.names[table], error)
    hasReported = true
  }

  /** Returns whether some rows are left. */
  async function removeBatch(
    table: ExpiringTable,
    found: Promise<ExpiredRows | null>,
    count: number,
  ): Promise<boolean> {
    try {
      const rows = await found
      await rows?.removeBatch(count)
      return rows?.areLeft ?? false
    } catch (error) {
      report(table, error)
      return false
    }
  }

  /** A batch of each table in turn, so that no table waits for a longer one. */
  async function removeAll(): Promise<void> {
    const opened = new Map<ExpiringTable, Promise<ExpiredRows | null>>()
    let left: readonly ExpiringTable[] = EXPIRING_TABLES
    while (left.length > 0) {
      const longer: ExpiringTable[] = []
      for (const table of left) {
        await pause(PAUSE_MS)
        if (isStopped()) return
        const found = opened.get(table) ?? find(table)
        opened.set(table, found)
        if (await removeBatch(table, found, BATCH)) longer.push(table)
      }
      left = longer
    }
  }

  async function removeFew(table: ExpiringTable): Promise<void> {
    await removeBatch(table, find(table), when === 'in the request' ? IN_REQUEST : AFTER_RESPONSE)
  }

  function afterResponse(table: ExpiringTable): void {
    try {
      waitUntil?.(removeFew(table))
    } catch (error) {
      report(table, error)
    }
  }

  return {
    afterAdding(table) {
      if (isStopped()) return undefined
      if (when === 'between requests') {
        if (isDue()) working ??= removeAll().finally(() => (working = null))
        return undefined
      }
      if (Math.random() >= CHANCE) return undefined
      if (when === 'in the request') return removeFew(table)
      afterResponse(table)
      return undefined
    },
    async stop() {
      stop()
      await working
    },
  }
}

/**
 * Opens the expired rows of a table, or returns null if there is no such table, or no index to find them by: each time, all of it
 * would be read, and locked in MySQL.
 */
function rowsFinder(tables: SqlTables) {
  const indexed = new Map<ExpiringTable, Promise<boolean>>()

  async function isIndexed(table: ExpiringTable): Promise<boolean> {
    const { shapes, database, dialect, names, timeout } = tables
    if (!(await shapes.all())[table]) return false
    const indexes = inspectIndexes(database.db, dialect, names[table])
    return (await withTimeout(timeout, indexes)).some(({ columns }) => columns[0] === 'expires')
  }

  return async (table: ExpiringTable): Promise<ExpiredRows | null> => {
    const known = indexed.get(table) ?? isIndexed(table)
    indexed.set(table, known)
    try {
      return (await known) ? await openExpiredRows(tables, table) : null
    } catch (error) {
      indexed.delete(table)
      throw error
    }
  }
}

/** Whether it is time again. The first time is when the process has been asked for a while. */
function createSchedule(): () => boolean {
  let due: number | null = null
  return () => {
    const now = Date.now()
    if (due !== null && now < due) return false
    const isFirst = due === null
    due = now + INTERVAL_MS * (0.5 + Math.random())
    return !isFirst
  }
}

/** Pauses that do not keep the process alive, and end when `stop` is called. */
function createPauses() {
  let hasStopped = false
  let end = () => {}
  return {
    isStopped: () => hasStopped,
    pause: (milliseconds: number) =>
      new Promise<void>(resolve => {
        const timer = setTimeout(resolve, milliseconds)
        if (typeof timer === 'object') timer.unref()
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    stop() {
      hasStopped = true
      end()
    },
  }
}

function warn(table: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  globalThis.process?.emitWarning?.(
    `expired rows of the table ${table} could not be removed (${reason}). They are not valid any more, but the table grows. This warning comes once.`,
    { type: 'SiteAuthWarning', code: 'SITEAUTH_CLEANUP' },
  )
}
