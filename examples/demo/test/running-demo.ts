import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The demo, started as people start it, with a folder of its own. */
export class RunningDemo {
  readonly #folder = mkdtempSync(join(tmpdir(), 'demo-'))
  readonly #process: ChildProcess
  readonly #ended: Promise<number | null>
  output = ''

  /** @param env more variables */
  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#process = spawn(process.execPath, [join(import.meta.dirname, '../start.js')], {
      env: { ...process.env, NODE_OPTIONS: '', DEMO_FOLDER: this.#folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that one can see whether somebody of it is left.
      detached: true,
    })
    this.#process.stdout?.on('data', text => (this.output += text))
    this.#process.stderr?.on('data', text => (this.output += text))
    this.#ended = new Promise(resolve => this.#process.on('close', resolve))
  }

  /** Resolves when the demo has said something; rejects when it ends before. */
  async hasSaid(words: string): Promise<void> {
    while (!this.output.includes(words)) {
      const next = new Promise<void>(resolve => this.#process.stdout?.once('data', () => resolve()))
      const end = this.#ended.then(() => Promise.reject(new Error(`it ended:\n${this.output}`)))
      await Promise.race([next, end])
    }
  }

  /** The address that was printed beside a name. */
  address(name: string): string {
    const [, url] = new RegExp(`${name} +(http://\\S+)`).exec(this.output) ?? []
    if (!url) throw new Error(`no address for ${name} in:\n${this.output}`)
    return url
  }

  /** What Ctrl-C does. Resolves with the exit code. */
  async interrupt(): Promise<number | null> {
    this.#process.kill('SIGINT')
    return this.#ended
  }

  /** Whether any process of it is left. */
  isAlive(): boolean {
    try {
      return process.kill(-(this.#process.pid ?? 0), 0)
    } catch {
      return false
    }
  }

  /** Ends what is left, and deletes what it kept. */
  clean(): void {
    if (this.isAlive()) process.kill(-(this.#process.pid ?? 0), 'SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
