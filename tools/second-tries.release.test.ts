import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './workspace.mjs'

it('names what failed once, and nothing else, while the run passes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'second-tries-'))
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(
      join(folder, 'some.test.mjs'),
      `import { describe, expect, it } from 'vitest'
       let tries = 0
       describe('a browser', () => {
         it('misses a beat', () => expect(++tries).toBe(2))
         it('is fine', () => {})
         it.fails('is known to fail', () => expect(1).toBe(2))
       })`,
    )
    const reporter = join(ROOT, 'tools/second-tries.mjs')
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
    const words = ['run', '--root', folder, '--retry', '1', '--reporter', reporter]
    const { status, stdout } = spawnSync(process.execPath, [vitest, ...words], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout.trim().split('\n').slice(-2)).toEqual([
      'Failed at first and passed at the second try, so look at these:',
      '  some.test.mjs > a browser > misses a beat',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
