import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'

/** How many statements a store has carried out so far, and how many seconds of CPU time it has used; null if that is not known. */
export async function watchLoad(store, place) {
  return store === 'PostgreSQL' ? watchPostgres(place) : watchRedis(place)
}

async function watchPostgres(connectionString) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query('show data_directory')
  const [{ data_directory: folder }] = rows
  return {
    async read() {
      const { rows: counts } = await client.query(
        'select sum(xact_commit + xact_rollback) as count from pg_stat_database where datname = current_database()',
      )
      return { statements: Number(counts[0].count), cpu: cpuOf(folder) }
    },
    close: () => client.end(),
  }
}

/** Of the server and its processes, one for each connection. Those that have ended count with the server. */
function cpuOf(folder) {
  if (process.platform !== 'linux') return null
  try {
    const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
    const ticks = all.reduce((sum, name) => {
      const fields = statOf(name)
      if (!fields) return sum
      const [, parent, ...rest] = fields
      const [user, system, endedUser, endedSystem] = rest.slice(9, 13).map(Number)
      if (name === pid) return sum + user + system + endedUser + endedSystem
      return parent === pid ? sum + user + system : sum
    }, 0)
    return ticks / 100
  } catch {
    return null
  }
}

/** The fields of a process behind its name, which may contain anything. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null // it has ended
  }
}

async function watchRedis(place) {
  const client = new Redis(place)
  return {
    async read() {
      const info = await client.info()
      const numberOf = name => Number(new RegExp(`^${name}:(.+)$`, 'm').exec(info)?.[1])
      return {
        statements: numberOf('total_commands_processed'),
        cpu: numberOf('used_cpu_sys') + numberOf('used_cpu_user'),
      }
    },
    close: () => client.quit(),
  }
}
