import { type Kysely, sql } from 'kysely'
import { retryOnConflict } from '../../retry-on-conflict.ts'
import type { SqlDialect } from '../dialect.ts'
import { type FoundIndex, type FoundTable, inspectAllIndexes, inspectTables } from './inspect.ts'
import { type MigrationRules, pause, type StepTaking } from './migration-rules.ts'
import type { MigrationStep } from './migration-steps.ts'
import { type PlannedStep, stepsOfNewTable, stepsOfTable } from './plan.ts'
import { TABLES, type TableNames } from './tables.ts'

/** Compares a database with what the adapter needs, and adds what is missing. */
interface Migrator {
  plan(): Promise<readonly MigrationStep[]>
  apply(): Promise<readonly MigrationStep[]>
}

/** How often a step waits for a table that others have locked: for about ten minutes. */
const MAX_LOCK_TIMEOUTS = 200

/** So long, others use a table between two attempts to lock it. */
const LOCK_PAUSE_MS = 2_000

export async function createMigrator(
  db: Kysely<unknown>,
  dialect: SqlDialect,
  names: TableNames,
): Promise<Migrator> {
  const rules = await dialect.loadMigrationRules()

  async function plan(on: Kysely<unknown> = db): Promise<PlannedStep[]> {
    const found = await inspectTables(on, dialect, names)
    const indexesOf = await inspectAllIndexes(on, dialect, Object.values(names))
    const { users } = found
    const userIds = users ? readUserIds(dialect, users, indexesOf(names.users)) : null
    const context = { dialect, rules, names, userIds }
    // Sound: the keys of an object of this type.
    return (Object.keys(TABLES) as (keyof TableNames)[]).flatMap(key => {
      const table = found[key]
      return table
        ? stepsOfTable(context, key, table, indexesOf(names[key]))
        : stepsOfNewTable(context, key)
    })
  }

  /** Takes the first step of the plan as it is then, so it does not matter who has taken those before. */
  async function takeSteps(taken: ReadonlySet<string>): Promise<readonly MigrationStep[]> {
    let current: PlannedStep | undefined
    const taking: StepTaking<PlannedStep> = {
      findNext: async on => firstOf(await plan(on), names),
      async execute(step, on) {
        current = step
        if (taken.has(step.sql)) throw new Error('the database has something else of that name')
        await sql.raw(step.sql).execute(on)
      },
    }
    try {
      return await waitForLocks(rules, () =>
        retryOnConflict(
          error => dialect.isConflict(error) && !rules.isLockTimeout(error),
          () => rules.takeSteps(db, taking),
        ),
      )
    } catch (cause) {
      if (!current) throw cause
      const message = `could not ${current.description}: ${toMessage(cause)}`
      if (dialect.isDuplicate(cause)) await dropUnfinished(taking).catch(() => {})
      throw new Error(message, { cause })
    }
  }

  /** A unique index that could not be built would refuse rows already. */
  async function dropUnfinished({ execute }: StepTaking<PlannedStep>): Promise<void> {
    const findNext = async (on: Kysely<unknown>) => (await plan(on)).filter(step => step.isCleanup)
    await rules.takeSteps(db, { findNext: async on => (await findNext(on)).slice(0, 1), execute })
  }

  return {
    plan: () => plan(),
    async apply() {
      // Usually there is nothing to do, which needs no lock and no permission to write.
      if ((await plan()).length === 0) return []
      const steps: MigrationStep[] = []
      for (;;) {
        const taken = await takeSteps(new Set(steps.map(({ sql }) => sql)))
        if (taken.length === 0) return steps
        for (const step of taken) steps.push(step)
      }
    },
  }
}

/**
 * The first step. All that an empty database needs is created at once, and a new table with its indexes: nobody uses them
 * yet.
 */
function firstOf(steps: readonly PlannedStep[], { users }: TableNames): readonly PlannedStep[] {
  const [first] = steps
  if (!first?.isOfNewTable) return steps.slice(0, 1)
  const isEmpty = steps.every(step => step.isOfNewTable) && steps.some(step => step.table === users)
  return isEmpty ? steps : steps.filter(step => step.table === first.table)
}

/** A step gives up if others have locked a table, so that nobody waits behind it for long, and tries again. */
async function waitForLocks<T>(rules: MigrationRules, act: () => Promise<T>): Promise<T> {
  for (let timeouts = 0; ; timeouts++) {
    try {
      return await act()
    } catch (error) {
      if (!rules.isLockTimeout(error) || timeouts >= MAX_LOCK_TIMEOUTS) throw error
    }
    await pause(LOCK_PAUSE_MS)
  }
}

function readUserIds(dialect: SqlDialect, users: FoundTable, indexes: readonly FoundIndex[]) {
  const id = users.columns.get('id')
  const type = id ? [id.type, id.collation].filter(Boolean).join(' ') : dialect.types.userId
  const isUnique = indexes.some(
    ({ unique, isUnfinished, columns }) => unique && !isUnfinished && columns.join() === 'id',
  )
  // Treated as if this run had created it, so that an interrupted run ends like any other.
  return { type, isOurs: isUnique && type === dialect.types.userId }
}

function toMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
