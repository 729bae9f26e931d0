import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltChild, buildChild } from '../child-process.ts'
import {
  createMysqlDatabase,
  createPostgresDatabase,
  MYSQL_URL,
  POSTGRES_URL,
  REDIS_URL,
} from '../servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'siteauth-revocations-'))
let child: BuiltChild
beforeAll(async () => {
  child = await buildChild(join(import.meta.dirname, 'child.ts'))
})
afterAll(() => {
  child.remove()
  rmSync(folder, { recursive: true })
})

it('of four processes that end all of somebody’s sessions, no two get one generation', {
  timeout: 120_000,
}, async () => {
  const places = {
    SQLite: join(folder, 'auth.db'),
    ...(POSTGRES_URL && { PostgreSQL: await createPostgresDatabase() }),
    ...(MYSQL_URL && { MySQL: await createMysqlDatabase() }),
    ...(REDIS_URL && { ioredis: REDIS_URL }),
  }
  const words = Object.entries(places).map(place => place.join(' '))
  const children = Array.from({ length: 4 }, () => child.run(['generations', ...words]))
  await Promise.all(children.map(({ process }) => process.stdout && once(process.stdout, 'data')))
  for (const { process } of children) process.stdin?.write('go\n')
  const ends = await Promise.all(children.map(({ ended }) => ended))
  const reports = ends.map(({ output }) => {
    // Sound: what the child wrote.
    return JSON.parse(output.replace('ready\n', '')) as Record<string, number[]>
  })
  for (const kind of Object.keys(places)) {
    const generations = reports.map(report => report[kind] ?? [])
    expect(new Set(generations.flat()).size, kind).toBe(100)
    for (const own of generations) expect(own, kind).toEqual(own.toSorted((a, b) => a - b))
  }
})

it('a process that watches may end when it has nothing else to do', async () => {
  const places = {
    ...(POSTGRES_URL && { PostgreSQL: await createPostgresDatabase() }),
    ...(REDIS_URL && { ioredis: REDIS_URL, 'node-redis': REDIS_URL }),
  }
  const kinds = Object.keys(places)
  const { code, output } = await child.run([
    'watch',
    ...Object.entries(places).map(place => place.join(' ')),
  ]).ended
  expect({ code, output }).toEqual({
    code: 0,
    output: kinds.map(kind => `heard ${kind}\n`).join(''),
  })
})
