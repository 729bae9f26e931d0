// Real servers for tests, without Docker, which not everybody has: on free ports, with nothing kept.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const HOST = '127.0.0.1'
const READY_WITHIN_MS = 30_000
// A cluster's nodes talk to each other on this port above the one for clients.
const BUS_OFFSET = 10_000

/** PostgreSQL on a free port of this machine, for a test run: nothing is kept. Answers its URL. */
export async function startPostgres({ initdb, postgres }, stops) {
  const folder = makeFolder('postgres', stops)
  const owner = giveTo('postgres', folder)
  const port = await freePort()
  const made = spawnSync(
    initdb,
    [
      ...['-D', join(folder, 'data'), '-A', 'trust', '-U', 'postgres'],
      ...['-E', 'UTF8', '--locale=C', '--no-sync'],
    ],
    { ...owner, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) return complain('PostgreSQL', made.error ?? made.stderr)
  const settings = {
    listen_addresses: HOST,
    unix_socket_directories: folder,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
  }
  const server = startServer(
    postgres,
    [
      ...['-D', join(folder, 'data'), '-p', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // To PostgreSQL SIGINT means: end now, also when somebody is connected.
    { ...owner, folder, stops, signal: 'SIGINT' },
  )
  const isReady = () => readLog(server).includes('ready to accept connections')
  if (!(await server.becomes(isReady))) return complain('PostgreSQL', readLog(server))
  return `postgres://postgres@${HOST}:${port}/postgres`
}

/**
 * PgBouncer in front of a PostgreSQL server, in transaction mode: every transaction may get another of
 * the server's connections, and prepared statements are not kept. Answers its URL.
 */
export async function startPgbouncer({ pgbouncer, postgres }, stops) {
  const folder = makeFolder('pgbouncer', stops)
  const owner = giveTo('postgres', folder)
  const port = await freePort()
  const { hostname, port: serverPort, username, password } = new URL(postgres)
  const server = [
    `host=${hostname}`,
    `port=${serverPort || 5432}`,
    `user=${decodeURIComponent(username)}`,
    ...(password ? [`password=${decodeURIComponent(password)}`] : []),
  ]
  const settings = {
    listen_addr: HOST,
    listen_port: port,
    unix_socket_dir: '',
    // Whoever comes is let in, as the user above.
    auth_type: 'any',
    pool_mode: 'transaction',
    // Of a connection that was used last it is not certain that it comes next.
    server_round_robin: 1,
    ...(keepsStatements(pgbouncer) && { max_prepared_statements: 0 }),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    ['[databases]', `* = ${server.join(' ')}`, '[pgbouncer]', ...lines, ''].join('\n'),
  )
  const started = startServer(pgbouncer, [file], { ...owner, folder, stops, signal: 'SIGINT' })
  if (await started.becomes(() => canConnect(port)))
    return `postgres://postgres@${HOST}:${port}/postgres`
  return complain('PgBouncer', readLog(started))
}

// Since version 1.21, where it is a setting.
function keepsStatements(pgbouncer) {
  const { stdout } = spawnSync(pgbouncer, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

/** MariaDB on a free port of this machine, with an empty database `siteauth`. Answers its URL. */
export async function startMariadb({ install, mariadbd }, stops, settings = []) {
  const folder = makeFolder('mariadb', stops)
  const owner = giveTo('mysql', folder)
  const port = await freePort()
  const made = spawnSync(
    install,
    [
      '--no-defaults',
      `--datadir=${join(folder, 'data')}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { ...owner, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) return complain('MariaDB', made.error ?? made.stdout + made.stderr)
  writeFileSync(
    join(folder, 'init.sql'),
    'create database if not exists siteauth character set utf8mb4;\n',
  )
  const server = startServer(
    mariadbd,
    [
      '--no-defaults',
      `--datadir=${join(folder, 'data')}`,
      `--port=${port}`,
      `--bind-address=${HOST}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--init-file=${join(folder, 'init.sql')}`,
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=64M',
      '--max-connections=300',
      '--skip-log-bin',
      ...settings,
    ],
    { ...owner, folder, stops },
  )
  const isReady = () => /ready for connections/.test(readLog(server))
  if (!(await server.becomes(isReady))) return complain('MariaDB', readLog(server))
  return `mysql://root@${HOST}:${port}/siteauth`
}

/** One Redis server on a free port of this machine. Answers its URL. */
export async function startRedis({ redisServer }, stops) {
  const node = await startRedisNode(redisServer, await freePort(), [], stops)
  return node ? `redis://${HOST}:${node.port}` : null
}

/** Three Redis primaries with a replica each. Answers their addresses, separated by commas. */
export async function startRedisCluster({ redisServer, redisCli }, stops) {
  const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000']
  // Else a replica waits 5 s before it copies its primary, and cannot stand in for it until then.
  const settings = [...cluster, '--repl-diskless-sync-delay', '0']
  const nodes = []
  for (let index = 0; index < 6; index++) {
    const node = await startRedisNode(redisServer, await freePort(BUS_OFFSET), settings, stops)
    if (!node) return null
    nodes.push(node)
  }
  const addresses = nodes.map(({ port }) => `${HOST}:${port}`)
  const words = ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes']
  const made = spawnSync(redisCli, words, { encoding: 'utf8' })
  if (made.status !== 0) return complain('Redis Cluster', made.error ?? made.stdout + made.stderr)
  const ask = (port, ...question) =>
    spawnSync(redisCli, ['-p', String(port), ...question], { encoding: 'utf8' }).stdout
  const isReady = () =>
    nodes.every(
      ({ port }) =>
        ask(port, 'cluster', 'info').includes('cluster_state:ok') &&
        /role:master|master_link_status:up/.test(ask(port, 'info', 'replication')),
    )
  return (await nodes[0].server.becomes(isReady))
    ? addresses.join()
    : complain('Redis Cluster', ask(nodes[0].port, 'cluster', 'nodes'))
}

/**
 * A Redis primary with a replica, and three sentinels that watch over them under the name `main`.
 * Answers the addresses of the sentinels, separated by commas.
 */
export async function startRedisSentinel({ redisServer, redisCli }, stops) {
  // Else a replica waits 5 s before it copies its primary, and cannot stand in for it until then.
  const settings = ['--repl-diskless-sync-delay', '0']
  const primary = await startRedisNode(redisServer, await freePort(), settings, stops)
  if (!primary) return null
  const following = [...settings, '--replicaof', HOST, String(primary.port)]
  const replica = await startRedisNode(redisServer, await freePort(), following, stops)
  if (!replica) return null
  const sentinels = []
  for (let index = 0; index < 3; index++) {
    const sentinel = await startSentinel(redisServer, primary.port, stops)
    if (!sentinel) return null
    sentinels.push(sentinel)
  }
  const ask = port =>
    spawnSync(redisCli, ['-p', String(port), 'info', 'sentinel'], { encoding: 'utf8' }).stdout
  // A sentinel that knows of no replica has nobody to put in the place of the primary.
  const isReady = () =>
    sentinels.every(({ port }) => ask(port).includes('status=ok') && KNOWS_ALL.test(ask(port)))
  return (await sentinels[0].server.becomes(isReady))
    ? sentinels.map(({ port }) => `${HOST}:${port}`).join()
    : complain('Redis Sentinel', ask(sentinels[0].port))
}

const KNOWS_ALL = /slaves=1,sentinels=3/

async function startSentinel(program, primaryPort, stops) {
  const folder = makeFolder('sentinel', stops)
  const port = await freePort()
  const file = join(folder, 'sentinel.conf')
  // It writes into this file what it learns.
  writeFileSync(
    file,
    [
      `port ${port}`,
      `bind ${HOST}`,
      `dir ${folder}`,
      `sentinel monitor main ${HOST} ${primaryPort} 2`,
      'sentinel down-after-milliseconds main 1000',
      'sentinel failover-timeout main 5000\n',
    ].join('\n'),
  )
  const server = startServer(program, [file, '--sentinel'], { folder, stops })
  if (await server.becomes(() => canConnect(port))) return { port, server }
  return complain('Redis Sentinel', readLog(server))
}

async function startRedisNode(program, port, settings, stops) {
  const folder = makeFolder('redis', stops)
  const server = startServer(
    program,
    [
      ...['--port', String(port), '--bind', HOST, '--dir', folder],
      ...['--save', '', '--appendonly', 'no', ...settings],
    ],
    { folder, stops },
  )
  const isReady = () => canConnect(port)
  if (await server.becomes(isReady)) return { port, server }
  return complain('Redis', readLog(server))
}

function makeFolder(name, stops) {
  const folder = mkdtempSync(join(tmpdir(), `siteauth-${name}-`))
  stops.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

// Database servers refuse to run as root: they get their own user, and the folder with them.
function giveTo(user, folder) {
  if (process.getuid?.() !== 0) return {}
  const numberOf = flag => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  const owner = { uid: numberOf('-u'), gid: numberOf('-g') }
  chownSync(folder, owner.uid, owner.gid)
  return owner
}

/** What to do about each server that is still running when this process ends. */
const running = new Set()
process.on('exit', () => {
  for (const kill of running) kill()
})

function startServer(program, words, { uid, gid, folder, stops, signal = 'SIGTERM' }) {
  const log = []
  const options = { cwd: folder, uid, gid, stdio: ['ignore', 'pipe', 'pipe'] }
  const child = spawn(program, words, options)
  child.stdout.on('data', chunk => log.push(chunk))
  child.stderr.on('data', chunk => log.push(chunk))
  const ended = new Promise(resolve => {
    child.on('close', resolve)
    child.on('error', error => {
      log.push(Buffer.from(error.message))
      resolve()
    })
  })
  let hasEnded = false
  ended.then(() => {
    hasEnded = true
  })
  const kill = () => child.kill('SIGKILL')
  running.add(kill)
  stops.push(async () => {
    if (!hasEnded) child.kill(signal)
    const patience = setTimeout(kill, 10_000)
    await ended
    clearTimeout(patience)
    running.delete(kill)
  })
  const becomes = async isReady => {
    const until = Date.now() + READY_WITHIN_MS
    while (!hasEnded && Date.now() < until) {
      if (await isReady()) return true
      await pause(50)
    }
    return false
  }
  return { log, becomes }
}

function readLog({ log }) {
  return Buffer.concat(log).toString()
}

function complain(name, log) {
  console.error(`${name} did not start:\n${String(log).slice(-2000)}`)
  return null
}

function canConnect(port) {
  return new Promise(resolve => {
    const socket = connect(port, HOST)
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** A port that nobody listens on, nor on the one that far above it. */
export async function freePort(offset = 0) {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const isFree = await Promise.all([...new Set([port, port + offset])].map(canListen))
    if (isFree.every(Boolean)) return port
  }
}

function canListen(port) {
  return new Promise(resolve => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })
}
