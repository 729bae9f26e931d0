import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { World } from '../src/lib/environment.ts'
import { run } from '../src/lib/run.ts'

/** The files of a project, by their paths. */
export type Files = Readonly<Record<string, string>>

/** A project in a folder of its own, which is gone after the test. */
export interface TestProject {
  readonly folder: string
  read(file: string): string
  write(files: Files): void
  /** Runs a command in it, as somebody without a terminal would. */
  run(...args: readonly string[]): Promise<Ran>
  /** The same, in a world that differs. */
  runIn(world: Partial<World>, ...args: readonly string[]): Promise<Ran>
}

/** How a command ended. */
interface Ran {
  readonly code: number
  readonly output: string
  /** What it told people on the side. */
  readonly told: string
}

export function createProject(files: Files = {}): TestProject {
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (more: Files) => {
    for (const [file, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
  }
  write(files)
  const runIn: TestProject['runIn'] = async (world, ...args) => {
    let [output, told] = ['', '']
    const code = await run(args, {
      cwd: folder,
      env: {},
      colours: false,
      asker: null,
      readInput: async () => '',
      write: text => {
        output += text
      },
      tell: text => {
        told += text
      },
      fetch: () => Promise.reject(new Error('no network in this test')),
      now: () => NOW,
      randomBytes: length => new Uint8Array(length).fill(7).map((_, index) => index * 7),
      start: async ([program = '', ...rest], cwd, variables) => {
        const env = { ...process.env, ...variables }
        const { status, stdout } = spawnSync(program, rest, { cwd, env, encoding: 'utf8' })
        return { status, output: stdout }
      },
      ...world,
    })
    return { code, output, told }
  }
  return {
    folder,
    read: file => readFileSync(join(folder, file), 'utf8'),
    write,
    run: (...args) => runIn({}, ...args),
    runIn,
  }
}

/** Everything in a project. */
export function contents({ folder, read }: TestProject): Files {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => `${entry.parentPath.slice(folder.length + 1)}/${entry.name}`.replace(/^\//, ''))
  return Object.fromEntries(files.sort().map(file => [file, read(file)]))
}

/** The time in tests. */
export const NOW: number = Date.parse('2026-11-18T12:00:00Z')

/** A good secret. */
export const SECRET = 'q7R2mZx9Vt4LkP0sWd8YbN3fHc6JgA1u'
