import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keptBuild } from './kept-builds.ts'

/** The versions of Next that the tests run on, and where each is installed. */
export const HOMES = {
  16: fileURLToPath(new URL('.', import.meta.url)),
  15: fileURLToPath(new URL('../../../fixtures/next15/', import.meta.url)),
}
export type NextVersion = keyof typeof HOMES

const FIXTURE = fileURLToPath(new URL('./app/', import.meta.url))
const CONFIG = 'next.config.mjs'

/** The application that the repository shows. */
export const EXAMPLE = fileURLToPath(new URL('../../../examples/next/', import.meta.url))

/** The secret of all applications of the tests. */
const SECRET = 'a secret of at least thirty-two characters'

/** An application in a folder of its own. */
export interface NextApp {
  write(file: string, text: string): void
  build(env?: Record<string, string>, ...options: string[]): Promise<void>
  start(env?: Record<string, string>, ...options: string[]): Promise<RunningApp>
  dev(): Promise<RunningApp>
  remove(): void
}

export interface RunningApp {
  readonly origin: string
  readonly port: number
  /** What the server has written so far. */
  log(): string
  stop(): Promise<void>
}

/** What an application is made of. */
interface AppSources {
  /** The folder it is copied from: the application of the tests, unless said otherwise. */
  readonly from?: string
  /** Folders of it that nobody visits: every route makes a build longer. */
  readonly without?: readonly string[]
}

/** Copies an application. */
export function createApp(
  version: NextVersion,
  name: string,
  { from = FIXTURE, without = [] }: AppSources = {},
): NextApp {
  // Below a folder in which Node and bundlers find this version.
  const folder = join(HOMES[version], '.apps', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const isSource = (path: string) => !/[/\\](node_modules|\.next)$/.test(path)
  cpSync(from, folder, { recursive: true, filter: isSource })
  for (const part of without) rmSync(join(folder, part), { recursive: true })
  if (!existsSync(join(folder, CONFIG))) cpSync(join(FIXTURE, CONFIG), join(folder, CONFIG))
  const proxy = join(folder, 'proxy.ts')
  if (version === 15 && existsSync(proxy)) {
    cpSync(proxy, join(folder, 'middleware.ts'))
    rmSync(proxy)
  }
  const next = join(nextFolder(version), 'dist/bin/next')

  function run(words: readonly string[], env: Record<string, string>): Running {
    const child = spawn(process.execPath, [next, ...words], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NEXT_TELEMETRY_DISABLED: '1',
        NODE_ENV: words[0] === 'dev' ? 'development' : 'production',
        AUTH_SECRET: SECRET,
        AUTH_TRUST_HOST: 'true',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let written = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        written += chunk
      })
    }
    return { child, log: () => written }
  }

  async function serve(words: readonly string[], env: Record<string, string>): Promise<RunningApp> {
    const { child, log } = run(words.includes('-p') ? words : [...words, '-p', '0'], env)
    const port = await listening(child, log)
    return {
      origin: `http://127.0.0.1:${port}`,
      port,
      log,
      async stop() {
        if (child.exitCode !== null) return
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      },
    }
  }

  return {
    write(file, text) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    },
    async build(env = {}, ...options) {
      rmSync(join(folder, '.next'), { recursive: true, force: true })
      const kept = keptBuild(folder, { version, env, options })
      if (kept.restore()) return
      const { child, log } = run(['build', ...options], env)
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`next build failed\n${log()}`)
      kept.keep()
    },
    start: (env = {}, ...options) => serve(['start', ...options], env),
    dev: () => serve(['dev'], {}),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

interface Running {
  readonly child: ChildProcess
  log(): string
}

function nextFolder(version: NextVersion): string {
  const own = join(HOMES[version], 'node_modules/next')
  if (existsSync(own)) return own
  return fileURLToPath(new URL('../../../node_modules/next', import.meta.url))
}

/** Waits for the port that Next says that it listens on. */
async function listening(child: ChildProcess, log: () => string): Promise<number> {
  for (;;) {
    const found = /https?:\/\/[^\s:]+:(\d+)/.exec(log())
    if (found && log().includes('Ready')) return Number(found[1])
    if (child.exitCode !== null) throw new Error(`next did not start\n${log()}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
