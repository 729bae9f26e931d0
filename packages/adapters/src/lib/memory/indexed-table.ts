/** The rows of a table by their keys, and also by the value of one more member, so that no other row is looked at to find them. */
export interface IndexedTable<Row extends object> {
  get(key: string): Row | undefined
  has(key: string): boolean
  /** The rows with that value, those first that were added first. */
  rowsOf(value: string): readonly Row[]
  /** Adds a copy of a row, or replaces the row with that key by it. */
  set(key: string, row: Row): void
  /** Changes members of a row, and returns it; undefined if it is missing. The members of a row change in no other way. */
  update(key: string, changes: Partial<Row>): Row | undefined
  delete(key: string): boolean
  /** Deletes the rows with that value, or those of them that match. Returns how many there were. */
  deleteOf(value: string, matches?: (row: Row) => boolean): number
  /** Deletes the rows that match: looks at all of them. Returns how many there were. */
  deleteWhere(matches: (row: Row) => boolean): number
}

/** @param indexValue the value that rows are found by; those without one are found by their keys only */
export function createIndexedTable<Row extends object>(
  indexValue: (row: Row) => string | null | undefined,
): IndexedTable<Row> {
  const rows = new Map<string, Row>()
  const index = new Map<string, Map<string, Row>>()

  function addToIndex(key: string, row: Row): void {
    const value = indexValue(row)
    if (value == null) return
    const group = index.get(value) ?? new Map<string, Row>()
    index.set(value, group.set(key, row))
  }

  function removeFromIndex(key: string, row: Row): void {
    const value = indexValue(row)
    const group = value == null ? undefined : index.get(value)
    if (value == null || !group) return
    group.delete(key)
    if (group.size === 0) index.delete(value)
  }

  function remove(key: string): boolean {
    const row = rows.get(key)
    if (row) removeFromIndex(key, row)
    return rows.delete(key)
  }

  function removeMatching(all: ReadonlyMap<string, Row>, matches: (row: Row) => boolean): number {
    const keys = [...all].filter(([, row]) => matches(row)).map(([key]) => key)
    for (const key of keys) remove(key)
    return keys.length
  }

  return {
    get: key => rows.get(key),
    has: key => rows.has(key),
    rowsOf: value => [...(index.get(value)?.values() ?? [])],
    set(key, row) {
      const copy = { ...row }
      const before = rows.get(key)
      if (before) removeFromIndex(key, before)
      rows.set(key, copy)
      addToIndex(key, copy)
    },
    update(key, changes) {
      const row = rows.get(key)
      if (!row) return undefined
      const isMoved = indexValue(row) !== indexValue({ ...row, ...changes })
      if (isMoved) removeFromIndex(key, row)
      Object.assign(row, changes)
      if (isMoved) addToIndex(key, row)
      return row
    },
    delete: remove,
    deleteOf: (value, matches = () => true) =>
      removeMatching(index.get(value) ?? new Map(), matches),
    deleteWhere: matches => removeMatching(rows, matches),
  }
}
