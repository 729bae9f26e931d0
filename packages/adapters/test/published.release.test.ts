import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { DynamoDBAdapter } from '@auth/dynamodb-adapter'
import { type Database, KyselyAdapter } from '@auth/kysely-adapter'
import PgAdapter from '@auth/pg-adapter'
import { PrismaAdapter } from '@auth/prisma-adapter'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb'
import { PrismaPg } from '@prisma/adapter-pg'
import { adapterSuite } from '@siteauth/testing/adapter'
import { drizzle } from 'drizzle-orm/node-postgres'
import dynalite from 'dynalite'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createStorage } from 'unstorage'
import { describe } from 'vitest'
import {
  AUTHJS_DRIZZLE_TABLES,
  AUTHJS_KYSELY_TABLES,
  AUTHJS_PG_TABLES,
  AUTHJS_PRISMA_TABLES,
} from './authjs-tables.ts'
import { PrismaClient } from './prisma/client.mjs'
import { createPostgresDatabase, POSTGRES_URL } from './servers.ts'

// Published adapters as they are. What is listed as known is their own doing, not the suite's.

describe.skipIf(!POSTGRES_URL)('published adapters for PostgreSQL', () => {
  let pool: pg.Pool
  const poolWith = async (tables: string) => {
    pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
    await pool.query(tables)
    return pool
  }
  const close = () => pool.end()

  adapterSuite({
    name: '@auth/pg-adapter',
    create: async () => PgAdapter(await poolWith(AUTHJS_PG_TABLES)),
    close,
    knownFailures: [
      // Its ids are numbers.
      'createUser answers the stored user, with an id that is a string',
      'createUser takes a user without an id, name and image',
      'deleteUser of an id that nobody has is no error',
      // Its tables have no unique columns.
      'two users cannot have one address, even when created at once',
      'whoever is refused an address finds the user who has it',
      'one account cannot belong to two users, even when linked at once',
    ],
  })

  adapterSuite({
    name: '@auth/kysely-adapter',
    async create() {
      const dialect = new PostgresDialect({ pool: await poolWith(AUTHJS_KYSELY_TABLES) })
      return KyselyAdapter(new Kysely<Database>({ dialect }))
    },
    close,
    knownFailures: [
      // PostgreSQL refuses to compare a UUID with such a text.
      'getUser answers null for an id that is not of the store’s making',
      // Its table of accounts has no unique columns.
      'one account cannot belong to two users, even when linked at once',
      // It throws.
      'updateSession of a token that nobody has makes no session',
    ],
  })

  adapterSuite({
    name: '@auth/drizzle-adapter',
    create: async () => DrizzleAdapter(drizzle(await poolWith(AUTHJS_DRIZZLE_TABLES))),
    close,
    knownFailures: [
      // Its column is a signed integer.
      'a counter may use all of its 32 bits',
    ],
  })

  adapterSuite({
    name: '@auth/prisma-adapter',
    async create() {
      const adapter = new PrismaPg(await poolWith(AUTHJS_PRISMA_TABLES))
      return PrismaAdapter(new PrismaClient({ adapter }))
    },
    close,
    knownFailures: [
      // Prisma throws when there is nothing to update or delete.
      'deleteUser of an id that nobody has is no error',
      'updateSession of a token that nobody has makes no session',
      'deleteSession of a token that nobody has is no error',
      // Its column is a signed integer.
      'a counter may use all of its 32 bits',
    ],
  })
})

adapterSuite({
  name: '@auth/unstorage-adapter',
  create: () => UnstorageAdapter(createStorage()),
  knownFailures: [
    // It reads, then writes.
    'concurrent updates of different fields are both kept',
    'two users cannot have one address, even when created at once',
    'whoever is refused an address finds the user who has it',
    'one account cannot belong to two users, even when linked at once',
    'updateSession does not bring back a session that is deleted meanwhile',
    'of 2 concurrent uses of one token exactly one gets it',
    'of 200 concurrent uses of one token exactly one gets it',
    'one credential cannot be stored twice',
    'one token cannot be stored twice',
    // The old address keeps pointing at the user.
    'updateUser with a new address moves the user to it',
    // Whatever reads like a date becomes one.
    'a name that reads like a date, a number or JSON stays a string',
    // It asks the storage to remove the key null when there is no session or no account.
    'deleteUser removes the user',
    'deleteUser removes the user’s sessions and leaves those of others',
    'deleteUser removes the user’s accounts and leaves those of others',
    'deleteUser removes the user’s authenticators',
    'after deleteUser the same person can be created and linked again',
    // It reads an account without looking for its user.
    'an account of a user who is not there can be linked to one who is',
    // Its keys join both with a colon.
    'provider and providerAccountId are not run together',
  ],
})

let server: Server
adapterSuite({
  name: '@auth/dynamodb-adapter',
  async create() {
    server = dynalite({ createTableMs: 0 })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    // Sound: it listens on a port.
    const { port } = server.address() as AddressInfo
    const client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'local',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    })
    await client.send(DYNAMODB_TABLE)
    const marshallOptions = { removeUndefinedValues: true, convertClassInstanceToMap: true }
    return DynamoDBAdapter(
      DynamoDBDocument.from(client, {
        marshallOptions: { ...marshallOptions, convertEmptyValues: true },
      }),
    )
  },
  close: () => server.close(),
  knownFailures: [
    // Its index keeps the old address.
    'updateUser with a new address moves the user to it',
    // Whatever reads like a date becomes one.
    'a name that reads like a date, a number or JSON stays a string',
    // It writes without a condition.
    'two users cannot have one address, even when created at once',
    'whoever is refused an address finds the user who has it',
    'one account cannot belong to two users, even when linked at once',
    'one token cannot be stored twice',
    // Its accounts are kept under their user, whoever that is.
    'an account of a user who is not there can be linked to one who is',
    // It sends an empty batch.
    'deleteUser of an id that nobody has is no error',
  ],
})

const DYNAMODB_TABLE = new CreateTableCommand({
  TableName: 'next-auth',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: ['pk', 'sk', 'GSI1PK', 'GSI1SK'].map(name => ({
    AttributeName: name,
    AttributeType: 'S',
  })),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'GSI1',
      KeySchema: [
        { AttributeName: 'GSI1PK', KeyType: 'HASH' },
        { AttributeName: 'GSI1SK', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
})
