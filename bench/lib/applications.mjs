import { fork, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { install, withOursListed } from '../../tools/frameworks.mjs'
import { freePort } from '../../tools/servers.mjs'

const HOST = '127.0.0.1'
const READY_WITHIN_MS = 60_000
const measured = new URL('measured.mjs', import.meta.url).href

/** Installs an application of `conformance/` with ours as packed, and builds what is measured of it. */
export function prepareApplication(application, packed) {
  const { path, manifest } = application
  install(path, manifest.siteauth.packages, packed)
  if (!manifest.scripts['bench:build']) return
  // Some frameworks load what they build.
  const env = { ...process.env, NODE_ENV: 'production', CONTENDER: 'bare' }
  const options = { cwd: path, env, encoding: 'utf8' }
  const build = () => spawnSync('npm', ['run', 'bench:build', '--silent'], options)
  const { status, stdout, stderr } = withOursListed(application, packed, build)
  if (status !== 0) {
    throw new Error(
      `conformance/${application.folder}/bench could not be built:\n${stdout}${stderr}`,
    )
  }
}

/**
 * Starts one contender in an application, and waits until it answers.
 *
 * @param variables by which it knows which contender it is
 */
export async function startApplication({ folder, path, manifest }, variables) {
  const [script, ...args] = manifest.siteauth.bench.start
  const port = await freePort()
  const origin = `http://${HOST}:${port}`
  const child = fork(script, args, {
    cwd: join(path, 'bench'),
    env: {
      ...process.env,
      ...variables,
      NODE_ENV: 'production',
      HOST,
      PORT: String(port),
      ORIGIN: origin,
    },
    execPath: nodeOf(path),
    execArgv: ['--import', measured],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const deadline = Date.now() + READY_WITHIN_MS
  while (!(await answers(`${origin}/who`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill()
      throw new Error(`conformance/${folder}/bench did not start.`)
    }
    await pause(50)
  }
  return { child, origin }
}

/** Some need a newer one, and have it among what they depend on. */
function nodeOf(path) {
  const own = join(path, 'node_modules/.bin/node')
  return existsSync(own) ? own : process.execPath
}

async function answers(url) {
  try {
    await fetch(url)
    return true
  } catch {
    return false
  }
}
