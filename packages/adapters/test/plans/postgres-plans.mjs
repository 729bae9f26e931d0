/**
 * @typedef {object} PostgresPlan
 * @property {string} sql
 * @property {number} rows how many rows were read, also those that were left out afterwards
 * @property {number} buffers
 * @property {number} searches how often an index was searched
 * @property {readonly { readonly table: string, readonly rows: number }[]} writes how many rows were added or changed
 * @property {readonly string[]} scans the tables that were read from the beginning to the end, also by foreign keys
 */

const OURS =
  /\b(users|accounts|sessions|tracked_sessions|authenticators|passwords|verification_token|revocations|limits)\b/
const UNIQUE_VIOLATION = '23505'
const PLANNED = /^\s*(select|insert|update|delete|with)\b/i

/**
 * Whether a statement reads or writes tables of our adapters, and is not one about the catalogue.
 *
 * @param {string} sql
 */
export function isPlanned(sql) {
  return PLANNED.test(sql) && OURS.test(sql) && !/\bpg_(attribute|index|class)\b/.test(sql)
}

/**
 * Plans and runs each statement of a pool once more before it is sent, in a transaction that is rolled back.
 *
 * @param {any} pool a pool of `pg` without connections so far
 * @param {(plan: PostgresPlan) => void} use
 * @param {() => boolean} isOn
 * @param {(sql: string) => boolean} isMeant
 */
export function planPostgres(pool, use, isOn, isMeant = isPlanned) {
  pool.on('connect', (/** @type {any} */ client) => {
    const query = client.query.bind(client)
    let isInTransaction = false
    client.query = async (/** @type {any[]} */ ...args) => {
      const [given, values = given.values] = args
      const sql = typeof given === 'string' ? given : given.text
      if (isOn() && isMeant(sql)) use(await explain(query, sql, values, isInTransaction))
      if (/^\s*(begin|start)\b/i.test(sql)) isInTransaction = true
      if (/^\s*(commit|rollback)\s*;?\s*$/i.test(sql)) isInTransaction = false
      return query(...args)
    }
  })
}

/**
 * @param {any} query
 * @param {string} sql
 * @param {unknown[]} values
 * @param {boolean} isInTransaction
 * @returns {Promise<PostgresPlan>}
 */
async function explain(query, sql, values, isInTransaction) {
  try {
    return await explainBy('analyze, buffers', query, sql, values, isInTransaction)
  } catch (error) {
    // It was sent to find out whether the row exists.
    if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error
    return explainBy('buffers', query, sql, values, isInTransaction)
  }
}

/**
 * @param {string} how
 * @param {Parameters<typeof explain>} rest
 * @returns {Promise<PostgresPlan>}
 */
async function explainBy(how, ...[query, sql, values, isInTransaction]) {
  await query(isInTransaction ? 'savepoint explained' : 'begin')
  try {
    const before = await sequentialReads(query)
    const { rows } = await query(`explain (${how}, format json) ${sql}`, values)
    const after = await sequentialReads(query)
    const [{ Plan: root }] = rows[0]['QUERY PLAN']
    const nodes = nodesOf(root)
    const scans = [...after.keys()].filter(table => after.get(table) !== before.get(table))
    const generic = await genericPlan(query, sql, values.length)
    return {
      sql,
      rows: sum(nodes, rowsRead),
      buffers: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
      searches: sum(nodes, node => searchesOf(node, values)),
      writes: nodes.flatMap(writesOf),
      scans: [...new Set([...scans, ...nodes.concat(generic).flatMap(scanOf)])],
    }
  } finally {
    await query(isInTransaction ? 'rollback to savepoint explained' : 'rollback')
  }
}

/**
 * How many scans of each table this transaction has made so far. The plan of a deletion does not contain those of foreign keys.
 *
 * @param {any} query
 * @returns {Promise<Map<string, number>>}
 */
async function sequentialReads(query) {
  const { rows } = await query('select relname, seq_scan from pg_stat_xact_user_tables')
  return new Map(rows.map((/** @type {any} */ row) => [row.relname, Number(row.seq_scan)]))
}

/**
 * @param {any} node
 * @returns {any[]}
 */
function nodesOf(node) {
  return [node, ...(node['Plans'] ?? []).flatMap(nodesOf)]
}

/** @param {any} node */
function rowsRead(node) {
  // A bitmap is made by one node, and its rows are read by another.
  if (!node['Relation Name'] || !/Scan$/.test(node['Node Type'])) return 0
  const removed = ['Rows Removed by Filter', 'Rows Removed by Index Recheck']
  const each = removed.reduce((all, name) => all + (node[name] ?? 0), node['Actual Rows'] ?? 0)
  return Math.round(each * (node['Actual Loops'] ?? 0))
}

/**
 * The table that a node of a plan reads from the beginning to the end, also by an index.
 *
 * @param {any} node
 * @returns {string[]}
 */
function scanOf(node) {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node
  if (type === 'Seq Scan') return [table]
  const isIndex = /^(Bitmap )?Index (Only )?Scan/.test(type)
  return isIndex && !node['Index Cond'] && node['Actual Loops'] !== 0
    ? [`${table} by ${index}`]
    : []
}

/**
 * The nodes of the plan that PostgreSQL makes without the values: a connection that has sent a statement a few times may keep it.
 *
 * @param {any} query
 * @param {string} sql
 * @param {number} count how many values the statement has
 */
async function genericPlan(query, sql, count) {
  await query('set local plan_cache_mode = force_generic_plan')
  await query(`prepare explained as ${sql}`)
  const nulls = count === 0 ? '' : `(${Array(count).fill('null').join(', ')})`
  const { rows } = await query(`explain (format json) execute explained${nulls}`)
  await query('deallocate explained')
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
}

/**
 * @param {any} node
 * @param {readonly unknown[]} values
 */
function searchesOf(node, values) {
  if (!node['Index Name']) return 0
  // PostgreSQL counts the searches from version 18 on: before, a list of keys is one.
  const keys = /\bANY\b/.test(node['Index Cond'] ?? '') ? values.map(lengthOf) : []
  return node['Index Searches'] ?? (node['Actual Loops'] ?? 0) * Math.max(1, ...keys)
}

/** @param {unknown} value */
function lengthOf(value) {
  return Array.isArray(value) ? value.length : 1
}

/** @param {any} node */
function writesOf({
  'Node Type': type,
  'Relation Name': table,
  Operation: operation,
  Plans: plans,
}) {
  if (type !== 'ModifyTable' || operation === 'Delete') return []
  return [{ table, rows: plans?.[0]?.['Actual Rows'] ?? 0 }]
}

/**
 * @param {any[]} nodes
 * @param {(node: any) => number} count
 * @returns {number}
 */
function sum(nodes, count) {
  return nodes.reduce((all, node) => all + count(node), 0)
}
