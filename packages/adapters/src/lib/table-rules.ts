/** When the rows of a table are deleted with others, in every store. */
interface TableRule {
  /** The column with the id of the user who owns a row. Rows with an owner are deleted with the user. */
  readonly owner?: 'userId'
  /** The column with the time after which `deleteExpired` may delete a row. */
  readonly expires?: 'expires'
}

// Stores loop over these, so that a new table with an owner cannot be forgotten by one of them.
const TABLE_RULES = {
  users: {},
  accounts: { owner: 'userId' },
  sessions: { owner: 'userId', expires: 'expires' },
  verificationTokens: { expires: 'expires' },
  authenticators: { owner: 'userId' },
  passwords: { owner: 'userId' },
  trackedSessions: { owner: 'userId', expires: 'expires' },
  revocations: { expires: 'expires' },
  limits: { expires: 'expires' },
} as const

type TableRules = typeof TABLE_RULES
type TableWith<Rule extends TableRule> = {
  [Key in keyof TableRules]: TableRules[Key] extends Rule ? Key : never
}[keyof TableRules]

/** A table whose rows belong to users. */
export type OwnedTable = TableWith<{ readonly owner: 'userId' }>
/** A table whose rows expire. */
export type ExpiringTable = TableWith<{ readonly expires: 'expires' }>

export const OWNED_TABLES: readonly OwnedTable[] = /* @__PURE__ */ tablesWith('owner')
export const EXPIRING_TABLES: readonly ExpiringTable[] = /* @__PURE__ */ tablesWith('expires')

function tablesWith<Key extends keyof TableRules>(rule: keyof TableRule): readonly Key[] {
  const rules = Object.entries<TableRule>(TABLE_RULES)
  // Sound: the type has the same condition.
  return rules.filter(([, members]) => rule in members).map(([key]) => key as Key)
}
