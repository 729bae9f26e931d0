import { Argument, Option } from 'commander'
import { FoundAdapter, findConfigs } from '../code/find-configs.ts'
import { readSources } from '../code/sources.ts'
import { createPainter } from '../colors.ts'
import type { AddTo } from '../command.ts'
import { CommandError, EXIT, type ExitCode, type World } from '../environment.ts'
import { projectEnv, readEnvFiles } from '../project/env-files.ts'
import {
  kindOf,
  type Store,
  StoreError,
  type StoreKind,
  storeOf,
  withStore,
} from '../project/store.ts'

interface MigrateOptions {
  readonly url?: string
  readonly dialect?: StoreKind
}

type What = 'plan' | 'apply' | 'sql'

const HELP = `
No table, column or row is ever changed or dropped: what is missing is added, one step at a
time, while the application runs. The plan says what each step blocks.
The database is the one of the adapter in your code, or DATABASE_URL, or --url.

Examples:
  $ siteauth migrate                          what is missing; exits with 3 if something is
  $ siteauth migrate apply                    adds it
  $ siteauth migrate sql --dialect postgres   all of it, for your own migration tool`

export const migrateCommand: AddTo = (program, world, done) => {
  program
    .command('migrate')
    .description('bring the tables of SQLite, PostgreSQL or MySQL up to date')
    .addArgument(new Argument('[what]').choices(['plan', 'apply', 'sql']).default('plan'))
    .option('--url <url>', 'the database: a connection string, or the path of a file')
    .addOption(new Option('--dialect <name>', 'for sql').choices(['postgres', 'mysql', 'sqlite']))
    .addHelpText('after', HELP)
    .action(async (what: What, options: MigrateOptions) => {
      try {
        done(await migrate(world, what, options))
      } catch (error) {
        if (error instanceof StoreError) throw new CommandError(`${error.message} ${error.cure}`)
        throw error
      }
    })
}

async function migrate(world: World, what: What, options: MigrateOptions): Promise<ExitCode> {
  if (what === 'sql') {
    const { dialect } = options
    const store = dialect
      ? { ...NOWHERE, kind: dialect, tables: findTables(world) }
      : findStore(world, options)
    const access = { cwd: world.cwd, mode: 'read' } as const
    world.write(await withStore(store, access, ({ migrations }) => migrations.sql()))
    return EXIT.ok
  }
  const store = findStore(world, options)
  const { bold, dim, green } = createPainter(world.colours)
  world.tell(`Asking ${placeOf(store)} …\n`)
  const access = { cwd: world.cwd, mode: what === 'apply' ? 'write' : 'read' } as const
  const steps = await withStore(store, access, ({ migrations }) => migrations[what]())
  if (steps.length === 0) {
    world.write(`${green('The database has all it needs.')}\n`)
    return EXIT.ok
  }
  for (const { description, locks, sql } of steps) {
    const details = what === 'plan' ? `${locks}\n${dim(`${sql};`)}\n` : ''
    world.write(`${bold(description)}\n${details}`)
  }
  if (what === 'apply') {
    world.write(`${green('Done.')}\n`)
    return EXIT.ok
  }
  world.tell('\nThis was only the plan. Carry it out with: siteauth migrate apply\n')
  return EXIT.attention
}

/** SQL is written without asking a database. */
const NOWHERE = { address: 'nowhere' }

/** A URL without the password in it. */
function placeOf({ address, kind }: Store): string {
  if (kind === 'sqlite') return address
  if (!URL.canParse(address)) throw new CommandError('The URL of the database cannot be read.')
  const { host, pathname } = new URL(address)
  return `${host}${pathname}`
}

function findStore(world: World, { url }: MigrateOptions): Store {
  const found = findAdapters(world)
  if (url) return storeAt(url, found[0]?.tables ?? {})
  const [store] = found
  if (store) return store
  const address = envOf(world)['DATABASE_URL']
  if (address) return storeAt(address, {})
  throw new CommandError(
    'There is no adapter of @siteauth/adapters in this project, and no DATABASE_URL. ' +
      'Name the database with --url. For Prisma and Drizzle, use siteauth schema.',
  )
}

function storeAt(address: string, tables: Store['tables']): Store {
  const kind = kindOf(address)
  if (kind) return { kind, address, tables }
  throw new CommandError(
    `The database has a URL of the kind ${address.replace(/:.*$/s, '')}:, which is neither PostgreSQL, MySQL nor a file of SQLite. ` +
      'Name another with --url. For Prisma and Drizzle, use siteauth schema.',
  )
}

function findTables(world: World): Store['tables'] {
  return findAdapters(world)[0]?.tables ?? {}
}

/** The stores that the code of the project opens by our adapters. */
function findAdapters(world: World): readonly Store[] {
  const env = envOf(world)
  return findConfigs(readSources(world.cwd), name => env[name]).flatMap(
    ({ options: { adapter } }) =>
      adapter instanceof FoundAdapter ? (storeOf(adapter, env) ?? []) : [],
  )
}

function envOf(world: World) {
  return projectEnv(readEnvFiles(world.cwd, 'development'), 'development', world.env)
}
