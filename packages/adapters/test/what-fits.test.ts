import mysql from 'mysql2'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MysqlAdapter } from '../src/mysql.ts'
import { PostgresAdapter } from '../src/postgres.ts'
import { createMysqlDatabase, createPostgresDatabase, MYSQL_URL, POSTGRES_URL } from './servers.ts'
import { type OpenStore, OUR_STORES } from './stores.ts'

/** As long as WebAuthn lets them be: 1023 bytes, in base64. */
const MAX_CREDENTIAL_LENGTH = 1364

for (const { name, isThere, open } of OUR_STORES) {
  describe.skipIf(!isThere)(`what fits into ${name}`, () => {
    let store: OpenStore
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    it('a credential id of 1023 bytes, with which its user is found', async () => {
      const { adapter } = store
      const id = `${crypto.randomUUID()}${'A'.repeat(MAX_CREDENTIAL_LENGTH - 36)}`
      const stored = await adapter.createUserWithAccount(signUp(id))
      expect((await adapter.getUserByAccount(signUp(id).account))?.id).toBe(stored?.user.id)
      await adapter.createAuthenticator({
        ...PASSKEY,
        credentialID: id,
        userId: readUserId(stored),
      })
      expect(await adapter.getAuthenticator(id)).toMatchObject({ credentialID: id })
    })

    it('no session has a NUL in its token', async () => {
      const { adapter } = store
      expect(await adapter.getSessionAndUser('a\0b')).toBeNull()
      expect(await adapter.deleteSession('a\0b')).toBeNull()
      expect(await adapter.getUser('a\0b')).toBeNull()
      expect(await adapter.getUserByEmail('a\0b@example.com')).toBeNull()
      const account = { provider: 'github', providerAccountId: 'a\0b' }
      expect(await adapter.getUserByAccount(account)).toBeNull()
      const token = { identifier: 'a\0b@example.com', token: 'token' }
      expect(await adapter.useVerificationToken(token)).toBeNull()
    })

    it('an address is found by exactly that address', async () => {
      const { adapter } = store
      const id = crypto.randomUUID()
      await adapter.createUser({ id, email: `kay.${id}@gmail.example`, emailVerified: null })
      for (const other of [
        `\u212Aay.${id}@gmail.example`,
        `kay.${id}@gmáil.example`,
        `kay.${id}@gmail.example `,
      ]) {
        expect(await adapter.getUserByEmail(other), other).toBeNull()
      }
    })
  })
}

describe.skipIf(!POSTGRES_URL)('columns of PostgreSQL that are too narrow', () => {
  let pool: pg.Pool
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: await createPostgresDatabase() })
    await PostgresAdapter({ pool }).migrations.apply()
    await pool.query(`alter table accounts alter "providerAccountId" type varchar(255),
      alter expires_at type integer`)
  })
  afterAll(() => pool.end())

  it('keep nothing of a sign-up whose account id is too long, and say which column it is', async () => {
    const adapter = PostgresAdapter({ pool })
    const short = 'a'.repeat(255)
    const attempt = adapter.createUserWithAccount(signUp(`${short}b`))
    await expect(attempt).rejects.toThrow(/accounts\.providerAccountId .*256.*255/)
    expect(await adapter.getUserByAccount(signUp(short).account)).toBeNull()
    const { rows } = await pool.query('select from users')
    expect(rows).toHaveLength(0)
  })

  it('say which number is too large', async () => {
    const given = signUp(crypto.randomUUID())
    const account = { ...given.account, expires_at: 2 ** 40 }
    const attempt = PostgresAdapter({ pool }).createUserWithAccount({ ...given, account })
    await expect(attempt).rejects.toThrow(/accounts\.expires_at/)
  })

  it('say so as well of a key that is too long for an index, and of half a character', async () => {
    const adapter = PostgresAdapter({ pool })
    const { id: userId } = await adapter.createUser(signUp('another').user)
    const passkey = { ...PASSKEY, userId }
    const long = adapter.createAuthenticator({ ...passkey, credentialID: noise(9000) })
    await expect(long).rejects.toThrow(/authenticators\.credentialID/)
    const half = adapter.createAuthenticator({ ...passkey, credentialID: 'a\uD800' })
    await expect(half).rejects.toThrow(/authenticators\.credentialID/)
    const zero = adapter.createAuthenticator({ ...passkey, credentialID: 'a\0' })
    await expect(zero).rejects.toThrow(/authenticators\.credentialID/)
  })
})

describe.skipIf(!MYSQL_URL)('columns of MySQL that are too narrow', () => {
  it('shorten nothing, also where the server would', async () => {
    const pool = mysql.createPool({ uri: await createMysqlDatabase(), timezone: 'Z' })
    pool.on('connection', connection => connection.query("set sql_mode = ''"))
    const adapter = MysqlAdapter({ pool })
    await adapter.migrations.apply()
    await pool
      .promise()
      .query('alter table accounts modify providerAccountId varchar(20), modify scope tinytext')
    const attempt = adapter.createUserWithAccount(signUp('a'.repeat(21)))
    await expect(attempt).rejects.toThrow(/accounts\.providerAccountId .*21.*20/)
    const given = signUp('a'.repeat(20))
    const account = { ...given.account, scope: 'é'.repeat(200) }
    const scope = adapter.createUserWithAccount({ ...given, account })
    await expect(scope).rejects.toThrow(/accounts\.scope/)
    await pool.promise().end()
  })

  it('are not those of ids that are unsigned', async () => {
    const pool = mysql.createPool({ uri: await createMysqlDatabase(), timezone: 'Z' })
    await pool.promise().query(`create table users (id int unsigned auto_increment primary key,
      name text, email varchar(255) unique, emailVerified datetime(3), image text)`)
    await pool.promise().query('alter table users auto_increment = 3000000000')
    const adapter = MysqlAdapter({ pool })
    await adapter.migrations.apply()
    const stored = await adapter.createUserWithAccount(signUp('unsigned'))
    expect(stored?.user.id).toBe('3000000000')
    expect(await adapter.getUser('3000000000')).not.toBeNull()
    expect(await adapter.listAccounts('3000000000')).toHaveLength(1)
    await pool.promise().end()
  })
})

const PASSKEY = {
  providerAccountId: 'account',
  credentialPublicKey: 'key',
  counter: 0,
  credentialDeviceType: 'singleDevice',
  credentialBackedUp: false,
}

function signUp(providerAccountId: string) {
  return {
    user: {
      email: `${crypto.randomUUID()}@example.com`,
      emailVerified: null,
      id: crypto.randomUUID(),
    },
    account: { type: 'webauthn' as const, provider: 'passkey', providerAccountId },
  }
}

function readUserId(stored: { user: { id: string } } | null): string {
  return String(stored?.user.id)
}

/** Letters that cannot be compressed. */
function noise(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return btoa(String.fromCharCode(...bytes)).slice(0, length)
}
