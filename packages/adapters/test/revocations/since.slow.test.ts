import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PostgresAdapter } from '../../src/postgres.ts'
import { createPostgresDatabase, POSTGRES_URL } from '../servers.ts'

describe.skipIf(!POSTGRES_URL)('the statements that read the log from PostgreSQL', () => {
  const queries: CompiledQuery[] = []
  const rows: object[] = []
  let pool: pg.Pool
  let kysely: Kysely<unknown>
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
    const dialect = new PostgresDialect({ pool })
    const log = ({ query }: { readonly query: CompiledQuery }) => {
      queries.push(query)
    }
    kysely = new Kysely<unknown>({ dialect, log }).withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rows.push(...result.rows.map(Object))
        return result
      },
    })
    await PostgresAdapter({ kysely }).migrations.apply()
  })
  afterAll(async () => pool.end())

  it('evaluate the clock once, and not for each row, and return what is needed', async () => {
    const { revocations } = PostgresAdapter({ kysely })
    await revocations.end([{ key: 's:1', until: new Date(Date.now() + 86_400_000) }])
    for (const read of [
      () => revocations.since(new Date(0)),
      () => revocations.page?.(null),
      () => revocations.find(['s:1']),
    ]) {
      queries.length = 0
      rows.length = 0
      await read()
      const [query] = queries
      const plan = await pool.query(`explain (verbose) ${query?.sql}`, [
        ...(query?.parameters ?? []),
      ])
      const conditions = plan.rows
        .map(row => String(row['QUERY PLAN']))
        .filter(line => /(Filter|Cond):/.test(line))
      expect(conditions.filter(line => line.includes('timestamp'))).toEqual([])
      const needed = ['changed', 'expires', 'generation', 'revocationKey', 'store_now']
      for (const column of Object.keys(rows[0] ?? {})) expect(needed).toContain(column)
      expect(rows).toHaveLength(1)
    }
  })
})
