import { join } from 'node:path'
import { FoundAdapter, findConfigs } from '../code/find-configs.ts'
import { projectEnv } from '../project/env-files.ts'
import { readText } from '../project/files.ts'
import { STORES, type Store, StoreError, storeOf, withStore } from '../project/store.ts'
import { missingFields, PRISMA_MODELS } from '../schema/prisma-fields.ts'
import type { Finding } from './finding.ts'
import { placeOf, type Subject } from './project-under-test.ts'

/** The store, and whether it has the tables it needs. */
export async function checkStore(subject: Subject): Promise<readonly Finding[]> {
  const found = subject.configs.flatMap(config => {
    const { adapter } = config.options
    if (!(adapter instanceof FoundAdapter)) return []
    const findings = [...forgetful(adapter, subject), ...prismaSchema(adapter, subject)]
    return findings.map(each => ({ where: placeOf(config), ...each }))
  })
  return [...found, ...(await checkTables(subject))]
}

/** Opening a store runs code of the project, which sees all variables of this machine: so it is opened with them. */
async function checkTables(subject: Subject): Promise<readonly Finding[]> {
  const { world, envFiles, mode, sources, isOffline, opensStore } = subject
  if (isOffline || !opensStore) return []
  const env = projectEnv(envFiles, mode, world.env)
  const found = await Promise.all(
    findConfigs(sources, name => env[name]).map(async config => {
      const { adapter } = config.options
      const store = adapter instanceof FoundAdapter ? storeOf(adapter, env) : null
      const findings = store ? await tables(store, subject) : []
      return findings.map(each => ({ where: placeOf(config), ...each }))
    }),
  )
  return found.flat()
}

function forgetful({ module }: FoundAdapter, { mode }: Subject): readonly Finding[] {
  if (module !== '@siteauth/adapters/memory' || mode !== 'production') return []
  return [
    {
      code: 'memory-store',
      severity: 'error',
      what: 'Users and sessions are kept in memory: a restart loses all of them, and two servers share none.',
      cure: 'Use an adapter with a database, such as @siteauth/adapters/postgres.',
    },
  ]
}

function prismaSchema({ module }: FoundAdapter, { project }: Subject): readonly Finding[] {
  if (module !== '@auth/prisma-adapter') return []
  const schema = readText(join(project.folder, 'prisma/schema.prisma'))
  if (schema === null) return []
  const missing = PRISMA_MODELS.flatMap(model => missingFields(schema, model))
  if (missing.length === 0) return []
  return [
    {
      code: 'prisma-schema',
      severity: 'error',
      what: `prisma/schema.prisma lacks what the adapter needs: ${missing.join(', ')}.`,
      cure: 'Run npx siteauth schema prisma, then npx prisma migrate dev.',
      where: 'prisma/schema.prisma',
    },
  ]
}

async function tables(store: Store, { world }: Subject): Promise<readonly Finding[]> {
  // A file is given its tables when it is first used, and opening it would make it.
  if (store.kind === 'sqlite') return []
  try {
    const steps = await withStore(store, { cwd: world.cwd, mode: 'read' }, ({ migrations }) =>
      migrations.plan(),
    )
    if (steps.length === 0) return []
    return [
      {
        code: 'missing-tables',
        severity: 'error',
        what: `The database is not up to date with this version. Missing steps: ${steps.map(({ description }) => description).join(', ')}.`,
        cure: 'Run npx siteauth migrate apply.',
      },
    ]
  } catch (error) {
    if (error instanceof StoreError) {
      return [{ code: 'store-driver', severity: 'error', what: error.message, cure: error.cure }]
    }
    const { code, message } = Object(error) as { code?: unknown; message?: unknown } // any driver's
    return [
      {
        code: 'store-unreachable',
        severity: 'error',
        what: `${STORES[store.kind].title} does not answer: ${code ?? message}.`,
        cure: 'Start it, and check the URL. Without --store, this is not checked.',
      },
    ]
  }
}
