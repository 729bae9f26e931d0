// Finds what tests need beside Node, or installs it on Debian, so that `npm test` is all that one has to know.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  startMariadb,
  startPgbouncer,
  startPostgres,
  startRedis,
  startRedisCluster,
  startRedisSentinel,
} from './servers.mjs'

/**
 * What some test needs beside Node: the one list. A test reads `variable` and skips itself without
 * it. `find` answers its value from what is installed, or null; one that has to start a server
 * pushes a function that ends it onto `stops`, and may use the variables of those before it. What `otherwise`
 * answers does as well, where the first cannot be installed.
 *
 * @type {Record<string, object>}
 */
export const SERVICES = {
  chromium: {
    variable: 'CHROMIUM_PATH',
    purpose: 'the tests that sign in with a real browser',
    debianPackages: ['chromium'],
    find: () =>
      findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
      findFile('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
  },
  'Chromium without windows': {
    variable: 'CHROMIUM_SHELL_PATH',
    purpose: 'the tests that sign in with a real browser, in half the time',
    debianPackages: ['chromium-headless-shell'],
    find: () => findProgram('chromium-headless-shell'),
    otherwise: ({ CHROMIUM_PATH }) => CHROMIUM_PATH,
  },
  PostgreSQL: {
    variable: 'TEST_POSTGRES_URL',
    purpose: 'the tests that keep users in PostgreSQL',
    debianPackages: ['postgresql'],
    find: stops =>
      startWith(startPostgres, stops, {
        initdb: findProgram('initdb') ?? findPostgres('initdb'),
        postgres: findProgram('postgres') ?? findPostgres('postgres'),
      }),
  },
  PgBouncer: {
    variable: 'TEST_PGBOUNCER_URL',
    purpose: 'the tests that keep users in PostgreSQL behind a pooler',
    debianPackages: ['pgbouncer'],
    find: (stops, { TEST_POSTGRES_URL: postgres }) =>
      startWith(startPgbouncer, stops, {
        pgbouncer: findProgram('pgbouncer') ?? findFile('/usr/sbin/pgbouncer'),
        postgres,
      }),
  },
  MariaDB: {
    variable: 'TEST_MYSQL_URL',
    purpose: 'the tests that keep users in MySQL',
    debianPackages: ['mariadb-server'],
    find: (stops, _, settings) =>
      startWith(
        startMariadb,
        stops,
        {
          install: findProgram('mariadb-install-db'),
          mariadbd: findProgram('mariadbd') ?? findFile('/usr/sbin/mariadbd'),
        },
        settings,
      ),
  },
  Redis: {
    variable: 'TEST_REDIS_URL',
    purpose: 'the tests that keep users in Redis',
    debianPackages: ['redis-server'],
    find: stops => startWith(startRedis, stops, { redisServer: findProgram('redis-server') }),
  },
  'a Redis Cluster': {
    variable: 'TEST_REDIS_CLUSTER',
    purpose: 'the tests that keep users in a Redis Cluster',
    debianPackages: ['redis-server'],
    find: stops =>
      startWith(startRedisCluster, stops, {
        redisServer: findProgram('redis-server'),
        redisCli: findProgram('redis-cli'),
      }),
  },
  'Redis Sentinel': {
    variable: 'TEST_REDIS_SENTINEL',
    purpose: 'the tests that keep users in Redis with Sentinel',
    debianPackages: ['redis-server'],
    find: stops =>
      startWith(startRedisSentinel, stops, {
        redisServer: findProgram('redis-server'),
        redisCli: findProgram('redis-cli'),
      }),
  },
  nginx: {
    variable: 'NGINX_PATH',
    purpose: 'the tests that run behind nginx',
    debianPackages: ['nginx'],
    // Not every user has the folder for administrators in the path.
    find: () => findProgram('nginx') ?? findFile('/usr/sbin/nginx'),
  },
}

/**
 * The variables to give the tests, a sentence for each service that is missing, and `stop`.
 *
 * @param {Record<string, object>} services
 * @param {Record<string, string | undefined>} env
 */
export async function prepareServices(services = SERVICES, env = process.env) {
  const variables = {}
  const missing = []
  const stops = []
  for (const [name, service] of Object.entries(services)) {
    const { variable, purpose, debianPackages, find, otherwise } = service
    const known = { ...env, ...variables }
    let value = env[variable] || (await find(stops, known))
    if (!value && installOnDebian(debianPackages)) value = await find(stops, known)
    value ||= otherwise?.(known)
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

/** Starts a server when all that it needs is here. */
async function startWith(start, stops, needs, settings) {
  return Object.values(needs).every(Boolean) ? start(needs, stops, settings) : null
}

// Debian keeps several versions beside each other, none of them on the path.
function findPostgres(name) {
  const folder = '/usr/lib/postgresql'
  if (!existsSync(folder)) return null
  const versions = readdirSync(folder).sort((a, b) => Number(b) - Number(a))
  return findFile(...versions.map(version => join(folder, version, 'bin', name)))
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
