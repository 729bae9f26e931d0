import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startPostgres, startRedis } from './servers.mjs'

it('says what a server said that did not start, and answers null', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {})
  const stops: (() => unknown)[] = []
  expect(await startRedis({ redisServer: '/bin/false' }, stops)).toBeNull()
  expect(complain).toHaveBeenCalledWith(expect.stringContaining('Redis did not start'))
  for (const stop of stops.reverse()) await stop()
})

it('leaves no folder behind', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {})
  const folder = mkdtempSync(join(tmpdir(), 'servers-'))
  vi.stubEnv('TMPDIR', folder)
  const stops: (() => unknown)[] = []
  await startPostgres({ initdb: '/no/such/program', postgres: '/no/such/program' }, stops)
  expect(complain).toHaveBeenCalledWith(expect.stringContaining('ENOENT'))
  expect(readdirSync(folder)).toHaveLength(1)
  for (const stop of stops.reverse()) await stop()
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})
