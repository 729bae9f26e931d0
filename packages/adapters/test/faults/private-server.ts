import { spawn } from 'node:child_process'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVICES } from '../../../../tools/services.mjs'

/** A server that is ours to kill. */
export interface PrivateServer {
  readonly url: URL
  /** Kills it, and starts it again on the same port: as it was started, or with other options. */
  restart(pid: number, options?: readonly string[]): Promise<void>
  stop(): Promise<void>
}

interface Service {
  find(
    stops: (() => unknown)[],
    environment: object,
    settings: readonly string[],
  ): Promise<string | null>
}

/** Starts a server of its own, or returns null if that cannot be done here. */
export async function startPrivately(
  name: 'PostgreSQL' | 'MariaDB' | 'Redis',
  settings: readonly string[] = [],
): Promise<PrivateServer | null> {
  // How a process was started is read from where Linux keeps it.
  if (process.platform !== 'linux') return null
  const stops: (() => unknown)[] = []
  // Sound: one of the list, each of which returns the URL of what it started, or null.
  const service = SERVICES[name] as Service
  const found = await service.find(stops, {}, settings)
  if (!found) return null
  const url = new URL(found)
  const restarted: number[] = []
  return {
    url,
    async restart(pid, options) {
      const program = readlinkSync(`/proc/${pid}/exe`)
      const [called = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .slice(0, -1)
      const { uid, gid } = statSync(`/proc/${pid}`)
      process.kill(pid, 'SIGKILL')
      while (await canConnect(Number(url.port))) await pause(20)
      // One program may be several, which go by the names that they are called by.
      const [argv0] = called.split(' ')
      const start = () => {
        const spawnOptions = { argv0, uid, gid, cwd: '/', stdio: 'ignore' } as const
        const started = spawn(program, options ?? words, spawnOptions)
        if (started.pid) restarted.push(started.pid)
        return started
      }
      let child = start()
      while (!(await canConnect(Number(url.port)))) {
        await pause(20)
        // PostgreSQL gives up while a process of the killed one still has the memory that they share.
        if (child.exitCode !== null) child = start()
      }
    },
    async stop() {
      for (const pid of restarted) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has been killed once more since.
        }
      }
      for (const stop of stops.reverse()) await stop()
    },
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
