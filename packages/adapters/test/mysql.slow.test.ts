import { adapterSuite } from '@siteauth/testing/adapter'
import mysql from 'mysql2'
import { afterAll, describe, expect, it } from 'vitest'
import { MysqlAdapter, type SqlAdapter } from '../src/mysql.ts'
import { extraMethods } from './extra-methods.ts'
import { createMysqlDatabase, MYSQL_URL } from './servers.ts'

describe.skipIf(!MYSQL_URL)('MySQL', () => {
  let adapter: SqlAdapter
  adapterSuite({
    name: 'mysql',
    async create() {
      adapter = MysqlAdapter({ url: await createMysqlDatabase() })
      await adapter.migrations.apply()
      return adapter
    },
  })
  extraMethods('mysql', async () => adapter)
  afterAll(() => adapter.close())
})

describe.skipIf(!MYSQL_URL)('MySQL migrations', () => {
  it('plans what is missing, applies it once, and then has nothing to do', async () => {
    const { migrations, close } = MysqlAdapter({ url: await createMysqlDatabase() })
    const plan = await migrations.plan()
    expect(plan.map(step => step.description)).toContain('create table users')
    expect(await migrations.apply()).toEqual(plan)
    expect(await migrations.plan()).toEqual([])
    await close()
  })

  it('prints SQL that an empty database takes', async () => {
    const uri = await createMysqlDatabase()
    const pool = mysql.createPool({ uri, multipleStatements: true, timezone: 'Z' })
    const { migrations } = MysqlAdapter({ pool })
    await pool.promise().query(migrations.sql())
    expect(await migrations.plan()).toEqual([])
    await pool.promise().end()
  })
})
