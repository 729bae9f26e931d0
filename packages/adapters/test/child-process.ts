import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '../../..')

/** A program of these tests that can be run in processes of its own. */
export interface BuiltChild {
  run(words: readonly string[]): RunningChild
  remove(): void
}

interface RunningChild {
  readonly process: ChildProcess
  readonly ended: Promise<{
    readonly code: number | null
    readonly signal: NodeJS.Signals | null
    /** What it wrote. */
    readonly output: string
  }>
}

/** Builds a program from the sources, so that it starts fast and as often as it is needed. */
export async function buildChild(file: string): Promise<BuiltChild> {
  // Within the workspace, where the drivers are found.
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'siteauth-child-'))
  await build({
    root: ROOT,
    configFile: join(ROOT, 'vitest.config.ts'),
    logLevel: 'error',
    build: { ssr: file, outDir: folder, target: 'node20' },
  })
  const built = join(folder, basename(file).replace(/\.ts$/, '.js'))
  return {
    run(words) {
      const child = spawn(process.execPath, [built, ...words], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      let output = ''
      child.stdout.on('data', chunk => {
        output += chunk
      })
      const ended = new Promise<Awaited<RunningChild['ended']>>((resolve, reject) => {
        child.on('error', reject)
        child.on('close', (code, signal) => resolve({ code, signal, output }))
      })
      return { process: child, ended }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
