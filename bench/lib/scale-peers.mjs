// What others do with so many users in PostgreSQL: for bench/scale.mjs. They are called as applications call them, and their tables
// are those of their documents.
import PgAdapter from '@auth/pg-adapter'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { createPostgres } from './scale-stores.mjs'

const BATCH = 100_000
/** How many users of Better Auth have signed in by it, so that their cookies are its own. */
const SIGNED_IN = 20

const AUTHJS_TABLES = `
  create table verification_token (identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token));
  create table accounts (id serial primary key, "userId" integer not null, type varchar(255) not null,
    provider varchar(255) not null, "providerAccountId" varchar(255) not null, refresh_token text, access_token text,
    expires_at bigint, id_token text, scope text, session_state text, token_type text);
  create table sessions (id serial primary key, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null);
  create table users (id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text)`

/** `@auth/pg-adapter`, as its documents say, or with the index that they leave out. */
export async function openPgAdapter(server, size, hasIndex) {
  const { pool, plansOf, close } = await createPostgres(server)
  await pool.query(AUTHJS_TABLES)
  for (let from = 1; from <= size; from += BATCH) {
    const numbers = `generate_series(${from}, ${Math.min(size, from + BATCH - 1)}) n`
    await pool.query(
      `insert into users (name, email) select 'User ' || n, n || '@example.com' from ${numbers}`,
    )
    await pool.query(`insert into accounts ("userId", type, provider, "providerAccountId")
      select n, 'oauth', 'google', 'google-' || n from ${numbers}`)
    await pool.query(`insert into sessions ("userId", expires, "sessionToken")
      select n, now() + interval '30 days', 'session-' || n || '-' || k from ${numbers} cross join generate_series(0, 2) k`)
  }
  if (hasIndex) await pool.query('create unique index on sessions ("sessionToken")')
  await pool.query('vacuum analyze')
  const adapter = PgAdapter(pool)
  return {
    plansOf,
    close,
    calls: { 'session check': n => adapter.getSessionAndUser(`session-${n}-0`) },
  }
}

/** Better Auth, with the tables that its migrations make. */
export async function openBetterAuth(server, size) {
  const { pool, plansOf, close } = await createPostgres(server, sql =>
    /^\s*(select|insert|update|delete|with)\b.*"(user|session|account|verification)"/is.test(sql),
  )
  const options = {
    database: pool,
    secret: 'a secret of at least thirty-two characters',
    baseURL: 'http://localhost',
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  }
  const { runMigrations } = await getMigrations(options)
  await runMigrations()
  for (let from = 0; from < size; from += BATCH) {
    const numbers = `generate_series(${from}, ${Math.min(size, from + BATCH) - 1}) n`
    await pool.query(`insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      select 'user-' || n, 'User ' || n, n || '@example.com', false, now(), now() from ${numbers}`)
    await pool.query(`insert into session (id, "expiresAt", token, "createdAt", "updatedAt", "userId")
      select 'id-' || n || '-' || k, now() + interval '7 days', 'session-' || n || '-' || k, now(), now(), 'user-' || n
      from ${numbers} cross join generate_series(0, 2) k`)
    await pool.query(`insert into account (id, "accountId", "providerId", issuer, "userId", "createdAt", "updatedAt")
      select 'account-' || n, 'google-' || n, 'google', 'https://accounts.google.com', 'user-' || n, now(), now() from ${numbers}`)
  }
  await pool.query('vacuum analyze')
  const auth = betterAuth(options)
  const headers = []
  for (let n = 0; n < SIGNED_IN; n++) {
    const body = { name: 'Ann', email: `ann-${n}@example.org`, password: 'a long password' }
    const response = await auth.api.signUpEmail({ body, asResponse: true })
    const cookie = response.headers
      .getSetCookie()
      .map(line => line.split(';')[0])
      .join('; ')
    headers.push(new Headers({ cookie }))
  }
  const headersOf = n => headers[n % SIGNED_IN]
  return {
    plansOf,
    close,
    calls: {
      async 'session check'(n) {
        if (!(await auth.api.getSession({ headers: headersOf(n) }))) throw new Error('nobody')
      },
      'sessions of a user': n => auth.api.listSessions({ headers: headersOf(n) }),
    },
  }
}
