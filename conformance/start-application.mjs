import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const HOST = '127.0.0.1'
const READY_WITHIN_MS = 60_000

/**
 * Starts a built application with these variables, on a free port, and waits until it answers.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} env
 * @param {string} script of its package.json
 */
export function startApplication(folder, env, script = 'start') {
  const cwd = join(import.meta.dirname, folder)
  return startScript({ cwd, script, env: () => ({ NODE_ENV: 'production', ...env }) })
}

/**
 * Runs a script that serves an application, on a free port, and waits until it answers.
 *
 * @param {object} given
 * @param {string} given.cwd where its package.json is
 * @param {string} given.script
 * @param {(origin: string) => Readonly<Record<string, string>>} given.env
 */
export async function startScript({ cwd, script, env }) {
  const port = await freePort()
  const origin = `http://${HOST}:${port}`
  // Some take it from the variables, others from the command line.
  const address = script === 'dev' ? ['--', '--host', HOST, '--port', String(port)] : []
  const child = spawn('npm', ['run', '--silent', script, ...address], {
    cwd,
    env: { ...withoutVitest(process.env), HOST, PORT: String(port), ...env(origin) },
    // A group of its own: npm does not pass signals on to all that it started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = []
  child.stdout.on('data', chunk => printed.push(chunk))
  child.stderr.on('data', chunk => printed.push(chunk))
  const ended = new Promise(resolve => child.once('close', resolve))
  const stop = () => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
    return ended
  }
  const deadline = Date.now() + READY_WITHIN_MS
  while (!(await answers(`${origin}/still.txt`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`${cwd} did not start:\n${Buffer.concat(printed)}`)
    }
    await pause(100)
  }
  return { origin, stop }
}

async function answers(url) {
  try {
    await fetch(url)
    return true
  } catch {
    return false
  }
}

/**
 * Some frameworks behave differently in tests, and these are not to know.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutVitest({ VITEST: _, TEST: __, NODE_ENV: ___, ...env }) {
  return env
}

async function freePort() {
  const server = createServer()
  await new Promise(resolve => server.listen(0, HOST, resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}
