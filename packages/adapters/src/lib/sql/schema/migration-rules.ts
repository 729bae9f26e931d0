import type { Kysely } from 'kysely'

/** How one kind of database changes tables that are in use. */
export interface MigrationRules {
  /** How a statement that creates an index is written so that it blocks as little as it can. */
  readonly online: OnlineWords
  /** Whether the table is written to while such an index is built. */
  readonly buildsOnline: boolean
  readonly locks: LockWords
  /** The statement that drops an index, names quoted. */
  dropIndex(index: string, table: string): string
  /**
   * Finds the next steps and takes them, in a transaction of their own, while no other process takes any. Returns them; an
   * empty list means that none is left.
   */
  takeSteps<Step extends StepToTake>(
    db: Kysely<unknown>,
    taking: StepTaking<Step>,
  ): Promise<readonly Step[]>
  /** Whether the error means that others had locked the table for longer than a step waits. */
  isLockTimeout(error: unknown): boolean
}

/** How the next steps are found, and each is taken. */
export interface StepTaking<Step> {
  /** A single step, or those that create tables which nobody uses yet. */
  findNext(db: Kysely<unknown>): Promise<readonly Step[]>
  execute(step: Step, db: Kysely<unknown>): Promise<void>
}

/** A step, as far as it matters how to send it. */
export interface StepToTake {
  /** The table that it changes, as it was given. */
  readonly table: string
  /** Whether it creates or drops an index of a table that is in use. */
  readonly isOfUsedIndex: boolean
}

/** How a statement about an index is written. */
export interface OnlineWords {
  /** Follows `index`. */
  readonly keyword: string
  /** Follows the statement. */
  readonly options: string
}

/** What steps block, in words. */
interface LockWords {
  /** The table of users is given if it exists, and the new table refers to it. */
  createTable(users: string | null): string
  createIndex(table: string): string
  /** The same on a table that is created in the same run. */
  readonly createFirstIndex: string
  addColumn(table: string): string
  dropIndex(table: string): string
}

/** Waits, for about as long: two processes that wait for one another should not do so at the same pace. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds * (0.5 + Math.random())))
}
