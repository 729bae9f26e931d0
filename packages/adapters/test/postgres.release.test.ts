import { adapterSuite } from '@siteauth/testing/adapter'
import pg from 'pg'
import { describe } from 'vitest'
import { PostgresAdapter } from '../src/postgres.ts'
import { AUTHJS_KYSELY_TABLES, AUTHJS_PRISMA_TABLES } from './authjs-tables.ts'
import { createPostgresDatabase, POSTGRES_URL } from './servers.ts'

// Those made for @auth/pg-adapter are in `postgres.slow.test.ts`.
describe.skipIf(!POSTGRES_URL)('PostgreSQL', () => {
  const MADE = { '@auth/kysely-adapter': AUTHJS_KYSELY_TABLES, Prisma: AUTHJS_PRISMA_TABLES }
  for (const [maker, made] of Object.entries(MADE)) {
    let own: pg.Pool
    adapterSuite({
      name: `postgres, on tables made for ${maker}, with the missing indexes added`,
      async create() {
        own = new pg.Pool({ connectionString: await createPostgresDatabase() })
        await own.query(made)
        const tables = {
          users: 'User',
          accounts: 'Account',
          sessions: 'Session',
          verificationTokens: 'VerificationToken',
          authenticators: 'Authenticator',
        }
        const adapter = PostgresAdapter({ pool: own, tables })
        await adapter.migrations.apply()
        return adapter
      },
      close: () => own.end(),
      // Prisma's column is a signed integer.
      knownFailures: maker === 'Prisma' ? ['a counter may use all of its 32 bits'] : [],
    })
  }
})
