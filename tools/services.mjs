import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * What some test needs beside Node: the one list. A test reads `variable` and skips itself without
 * it. `find` answers its value from what is installed, or null; one that has to start a server
 * pushes a function that ends it onto `stops`.
 *
 * @type {Record<string, object>}
 */
const SERVICES = {
  chromium: {
    variable: 'CHROMIUM_PATH',
    purpose: 'the tests that sign in with a real browser',
    debianPackages: ['chromium'],
    find: () =>
      findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
      findFile('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
  },
}

/** The variables to give the tests, a sentence for each service that is missing, and `stop`. */
export async function prepareServices(services = SERVICES, env = process.env) {
  const variables = {}
  const missing = []
  const stops = []
  for (const [name, { variable, purpose, debianPackages, find }] of Object.entries(services)) {
    let value = env[variable] || (await find(stops))
    if (!value && installOnDebian(debianPackages)) value = await find(stops)
    if (value) variables[variable] = value
    else missing.push(`Not run: ${purpose}. Install ${name} or set ${variable}.`)
  }
  const stop = async () => {
    for (const end of stops.reverse()) await end()
  }
  return { variables, missing, stop }
}

function installOnDebian(packages = []) {
  const canInstall = existsSync('/etc/debian_version') && process.getuid?.() === 0
  if (!canInstall || packages.length === 0) return false
  console.log(`installing ${packages.join(', ')} with apt-get`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...words) =>
    spawnSync('apt-get', words, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  return apt('update') && apt('install', '-y', '--no-install-recommends', ...packages)
}

function findProgram(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return findFile(...names.flatMap(name => folders.map(folder => join(folder, name))))
}

function findFile(...paths) {
  return paths.find(isExecutable) ?? null
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
