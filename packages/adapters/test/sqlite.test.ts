import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterSuite } from '@siteauth/testing/adapter'
import { afterAll } from 'vitest'
import { SqliteAdapter } from '../src/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'siteauth-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

const adapter = SqliteAdapter({ file: join(folder, 'auth.db') })
adapterSuite({ name: 'sqlite', create: () => adapter, close: () => adapter.close() })
