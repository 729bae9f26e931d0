import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { Visitor } from '../../../core/test/visitor.ts'

/** The last version before sign-ins ended with a revocation (decision 057). */
const EARLIER = '45bd27bc1b25baa10e38350f30533ae5f0a54045'

const ROOT = join(import.meta.dirname, '../../../..')
const PROGRAM = 'packages/adapters/test/two-versions/server.ts'

/** A program, built from the sources of both versions. */
export interface Versions {
  readonly earlier: string
  readonly present: string
  remove(): void
}

/** A server in a process of its own. */
export interface Server {
  /** A browser that sends its requests to this server, with the cookies of another. */
  visitor(from?: Visitor): Visitor
  /** The last link that was mailed. */
  lastLink(): Promise<URL>
  endSessions(userId: string): Promise<void>
  rotate(visitor: Visitor): Promise<void>
  stop(): Promise<void>
}

/** Builds a program, by default that of the servers, from today's sources and those of an earlier commit. */
export async function buildVersions(program = PROGRAM, commit = EARLIER): Promise<Versions> {
  // Within the workspace, where the drivers are found.
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'siteauth-versions-'))
  const tree = join(folder, 'tree')
  extract(commit, tree, program)
  const earlier = await bundle(tree, program, join(folder, 'earlier'))
  const present = await bundle(ROOT, program, join(folder, 'present'))
  return { earlier, present, remove: () => rmSync(folder, { recursive: true }) }
}

/** Takes the sources of the earlier version from the history, with today's program in them. */
function extract(commit: string, tree: string, program: string): void {
  const git = (words: readonly string[], input?: Buffer) =>
    execFileSync('git', words, { cwd: ROOT, maxBuffer: 2 ** 29, ...(input && { input }) })
  try {
    git(['cat-file', '-e', `${commit}^{commit}`])
  } catch (cause) {
    const message = `The history lacks the commit ${commit}. Clone all of it: git fetch --unshallow`
    throw new Error(message, { cause })
  }
  mkdirSync(join(tree, dirname(program)), { recursive: true })
  const archive = git(['archive', '--format=tar', commit, 'package.json', 'packages', 'tools'])
  execFileSync('tar', ['-x', '-C', tree], { input: archive })
  copyFileSync(join(ROOT, program), join(tree, program))
}

/** Bundles the packages of a tree into the program, by the tools of that tree. */
async function bundle(tree: string, program: string, outDir: string): Promise<string> {
  const tools = pathToFileURL(join(tree, 'tools/sources.mjs')).href
  const { viteSources } = (await import(/* @vite-ignore */ tools)) as {
    viteSources: (conditions: readonly string[]) => Plugin
  }
  const conditions = ['node', 'import', 'default']
  await build({
    root: tree,
    configFile: false,
    logLevel: 'error',
    plugins: [viteSources(conditions)],
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: ['node'] } },
    build: { ssr: join(tree, program), outDir, target: 'node20' },
  })
  return join(outDir, basename(program).replace(/\.ts$/, '.js'))
}

/** Starts a server: the words are the store, its place, the strategy and the audience. */
export async function startServer(program: string, words: readonly string[]): Promise<Server> {
  const running = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(running, 'close')
  const [line] = await Promise.race([once(running.stdout, 'data'), ended])
  const place = `http://127.0.0.1:${String(line).trim()}`
  const control = (path: string, headers: HeadersInit = {}) =>
    fetch(`${place}/control/${path}`, { headers })
  return {
    visitor(from) {
      const visitor = new Visitor(async request => {
        const { pathname, search } = new URL(request.url)
        const { method, headers } = request
        const body = method === 'POST' ? { body: await request.text() } : {}
        const init = { method, headers, redirect: 'manual', ...body } as const
        return fetch(place + pathname + search, init)
      })
      for (const [name, value] of from?.cookies ?? []) visitor.cookies.set(name, value)
      return visitor
    },
    async lastLink() {
      const links = (await (await control('links')).json()) as readonly string[]
      return new URL(links.at(-1) ?? '')
    },
    async endSessions(userId) {
      const { status } = await control(`end?user=${encodeURIComponent(userId)}`)
      if (status !== 200) throw new Error(`the sessions were not ended: ${status}`)
    },
    async rotate(visitor) {
      const response = await control('rotate', { cookie: visitor.cookieHeader() })
      if ((await response.json()) === null) throw new Error('the session was not rotated')
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        visitor.cookies.set(name, value)
      }
    },
    async stop() {
      running.kill('SIGKILL')
      await ended
    },
  }
}
