// Does what a page of the documentation tells its reader to do, with the packages as they are published.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { readDocument } from './documents.mjs'
import { packPackages } from './packed.mjs'
import { ROOT } from './workspace.mjs'

// Does what a start page tells its reader to do, in an empty folder, with the packages as they are published.

/** What a page tells its reader to write and to run, in its order. */
export interface StartPage {
  /** The blocks that name a file, by that name. */
  readonly files: Readonly<Record<string, string>>
  /** The lines of the blocks marked `sh`. */
  readonly commands: readonly string[]
}

/** Reads a page of the documentation, such as `docs/start/next.md`. */
export function readStartPage(page: string): StartPage {
  const { fences } = readDocument(join(ROOT, page))
  const named = fences.flatMap(({ file, code }) => (file ? [[file, `${code}\n`] as const] : []))
  const shell = fences.filter(({ language }) => language === 'sh')
  return {
    files: Object.fromEntries(named),
    commands: shell.flatMap(({ code }) => code.split('\n').filter(line => line.trim() !== '')),
  }
}

/** The packages that a page has its reader install. */
export function installedBy({ commands }: Pick<StartPage, 'commands'>): readonly string[] {
  return commands
    .filter(command => command.startsWith('npm install '))
    .flatMap(command => command.split(/\s+/).slice(2))
    .filter(word => !word.startsWith('-'))
}

/** A folder in which a reader of a page works. */
export interface Project {
  readonly folder: string
  write(files: Readonly<Record<string, string>>): void
  /** What `npm install` does: these packages and all that they depend on, ours as they are packed. */
  install(names: readonly string[]): void
  /** Runs a command to its end, and answers what it said. Rejects where it fails. */
  run(command: string, env?: Readonly<Record<string, string>>): Promise<string>
  /** Runs a command that goes on until it is stopped. */
  start(command: string, env?: Readonly<Record<string, string>>): RunningCommand
  remove(): void
}

/** A command that goes on, such as a server. */
export interface RunningCommand {
  /** What it has said so far. */
  said(): string
  /** Resolves with the first match in what it says. Rejects if it ends before. */
  says(sentence: RegExp): Promise<RegExpExecArray>
  stop(): Promise<void>
}

/** Makes an empty folder, outside of the repository: nothing in it is found by accident. */
export function createProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'start-page-'))
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
  }
  const start = (command: string, env: Readonly<Record<string, string>> = {}) =>
    startCommand(command, folder, env)
  return {
    folder,
    write,
    install: names => install(names, join(folder, 'node_modules')),
    start,
    async run(command, env) {
      const { child, said } = start(command, env)
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`${command} failed\n${said()}`)
      return said()
    },
    // What was stopped just now may still be writing.
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function startCommand(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): RunningCommand & { readonly child: ChildProcess } {
  const PATH = [join(cwd, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  // With nothing of the tests' own environment, and as a group: npx and npm start others.
  const child = spawn(command, {
    cwd,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Next's types want a NODE_ENV, which is for the commands to choose.
    env: {
      PATH,
      HOME: process.env['HOME'],
      ...env,
    } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', chunk => {
      text += chunk
    })
  }
  return {
    child,
    said: () => text,
    says: sentence =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = sentence.exec(text)
          if (found) resolve(found)
        }
        look()
        child.stdout?.on('data', look)
        child.stderr?.on('data', look)
        child.on('close', () => reject(new Error(`${command} ended\n${text}`)))
      }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      const ended = once(child, 'close')
      process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin?: string | Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Puts packages and all that they depend on into a folder, from what the workspace has installed. */
function install(names: readonly string[], modules: string): void {
  const packed = packPackages()
  const wanted = [...names]
  const optional = new Set<string>()
  for (const name of wanted) {
    const to = join(modules, name)
    if (existsSync(to)) continue
    const tarball = packed.get(name)
    const from = join(ROOT, 'node_modules', name)
    if (tarball) {
      unpack(tarball, to)
      copyOwn(name, to)
    } else if (existsSync(from)) copyByLinks(from, to)
    else if (optional.has(name)) continue
    else throw new Error(`${name} is not installed in the workspace`)
    const manifest: Manifest = JSON.parse(readFileSync(join(to, 'package.json'), 'utf8'))
    linkPrograms(manifest, to, modules)
    // What lies in its own folder came along.
    const isApart = (each: string) => !existsSync(join(to, 'node_modules', each))
    wanted.push(...Object.keys(manifest.dependencies ?? {}).filter(isApart))
    for (const each of Object.keys(manifest.optionalDependencies ?? {}).filter(isApart)) {
      optional.add(each)
      wanted.push(each)
    }
  }
}

function linkPrograms({ name, bin = {} }: Manifest, folder: string, modules: string): void {
  const programs = typeof bin === 'string' ? { [name.split('/').at(-1) ?? name]: bin } : bin
  for (const [program, file] of Object.entries(programs)) {
    mkdirSync(join(modules, '.bin'), { recursive: true })
    chmodSync(join(folder, file), 0o755)
    symlinkSync(relative(join(modules, '.bin'), join(folder, file)), join(modules, '.bin', program))
  }
}

function unpack(tarball: string, to: string): void {
  mkdirSync(to, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', to, '--strip-components=1'])
}

/** What a package of the workspace needs in another version than the rest of it has. */
function copyOwn(name: string, to: string): void {
  const own = join(ROOT, 'packages', name.split('/').at(-1) ?? name, 'node_modules')
  const manifest: Manifest = JSON.parse(readFileSync(join(to, 'package.json'), 'utf8'))
  for (const each of Object.keys(manifest.dependencies ?? {})) {
    if (existsSync(join(own, each))) copyByLinks(join(own, each), join(to, 'node_modules', each))
  }
}

/** Bundlers want files that are inside of the project. Links to their content take no time and no room. */
function copyByLinks(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const source = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, source))
    mkdirSync(dirname(target), { recursive: true })
    try {
      linkSync(source, target)
    } catch {
      copyFileSync(source, target) // on another disk
    }
  }
}
