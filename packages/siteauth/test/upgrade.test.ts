import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { GROUPED_CALLS } from '../src/lib/upgrade/grouped-calls.ts'
import { contents, createProject, type Files } from './command-line.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Upgrades a single file, and returns what it became. */
async function upgraded(text: string, { file = 'file.ts', others = {} as Files } = {}) {
  const project = createProject({ 'package.json': '{"name":"app"}', ...others, [file]: text })
  const { output } = await project.run('upgrade')
  return { text: project.read(file), output, project }
}

const core = `import { createAuth } from '@siteauth/core'\nconst auth = createAuth({ providers: [] })\n`
const hono = `import { SiteAuth } from '@siteauth/hono'\nconst auth = SiteAuth({ providers: [] })\n`
const solid = `import { SiteAuth } from '@siteauth/solid-start'\nconst auth = SiteAuth({ providers: [] })\n`
const next = `import SiteAuth from '@siteauth/next'\nconst auth = SiteAuth({ providers: [] })\n`
const router = `import { SiteAuth } from '@siteauth/react-router'\nconst auth = SiteAuth({ providers: [] })\n`

describe('siteauth upgrade', () => {
  it.each([
    ['endUser', 'users.endSessions'],
    ['listSessions', 'sessions.list'],
    ['endSession', 'sessions.end'],
    ['endOtherSessions', 'sessions.endOthers'],
    ['rotate', 'sessions.rotate'],
    ['listAccounts', 'accounts.list'],
    ['unlinkAccount', 'accounts.unlink'],
    ['getAccessToken', 'accounts.getAccessToken'],
    ['passwords.ask', 'passwords.sendLink'],
  ])('calls %s by its group, in every framework', async (old, name) => {
    for (const setup of [core, hono, solid, next, router]) {
      const { text } = await upgraded(`${setup}await auth.${old}(a, b)\n`)
      expect(text).toBe(`${setup}await auth.${name}(a, b)\n`)
    }
  })

  it.each([
    [
      'an object becomes arguments',
      hono,
      `auth.providerFetch(c, { wish: { refused: t }, url, provider: 'github' })`,
      `auth.accounts.fetch(c, 'github', url, undefined, { rejectedToken: t })`,
    ],
    [
      'arguments stay',
      next,
      `auth.providerFetch('github', url, init)`,
      `auth.accounts.fetch('github', url, init)`,
    ],
    ['middleware is a value', hono, `app.use(auth.session())`, `app.use(auth.sessionMiddleware)`],
    [
      'middleware without options is a value',
      solid,
      `use(auth.middleware())`,
      `use(auth.middleware)`,
    ],
    [
      'middleware with options has a name',
      solid,
      `use(auth.middleware({ onRequest }))`,
      `use(auth.middlewareWith({ onRequest }))`,
    ],
    [
      'a guard as middleware says what it exempts',
      router,
      `use(auth.requireSession())`,
      `use(auth.requireSession({ except: [] }))`,
    ],
    [
      'and keeps its options',
      router,
      `use(auth.requireSession({ allow }))`,
      `use(auth.requireSession({ except: [], allow }))`,
    ],
    [
      'a guard as a call',
      router,
      `await auth.demandSession(args, { allow })`,
      `await auth.requireSession(args, { allow })`,
    ],
    [
      'a sign-in is arguments',
      core,
      `await auth.signIn(request, { fields, redirectTo: '/a', provider: 'x' })`,
      `await auth.signIn(request, 'x', { ...fields, redirectTo: '/a' })`,
    ],
    [
      'a sign-in with fields',
      core,
      `await auth.signIn(request, { provider: 'x', fields: { name, code: 1 }, remember: true })`,
      `await auth.signIn(request, 'x', { name, code: 1, remember: true })`,
    ],
    [
      'a sign-in with parameters',
      core,
      `await auth.signIn(request, { provider: 'x', authorizationParams: { login_hint } })`,
      `await auth.signIn(request, 'x', {}, { login_hint })`,
    ],
    [
      'a sign-in with fields alone',
      core,
      `await auth.signIn(request, { provider, fields })`,
      `await auth.signIn(request, provider, fields)`,
    ],
    [
      'cookies are asked for',
      core,
      `const { url, setCookies } = await auth.signOut(request)`,
      `const url = await auth.signOut(request)\nconst setCookies = auth.takeSetCookies(request)`,
    ],
    [
      'cookies of a session',
      core,
      `const { session: s, setCookies: c } = await auth.renewSession(request)`,
      `const s = await auth.getSession(request)\nconst c = auth.takeSetCookies(request)`,
    ],
    [
      'cookies alone',
      core,
      `const { setCookies } = await auth.rotate(request)`,
      `await auth.sessions.rotate(request)\nconst setCookies = auth.takeSetCookies(request)`,
    ],
    [
      'a token keeps its members',
      core,
      `const { accessToken, setCookies } = await auth.getAccessToken(request, 'x')`,
      `const { accessToken } = await auth.accounts.getAccessToken(request, 'x')\nconst setCookies = auth.takeSetCookies(request)`,
    ],
    [
      'a member of a result',
      core,
      `if ((await auth.endSession(request, handle)).ended) done()`,
      `if ((await auth.sessions.end(request, handle))) done()`,
    ],
    [
      'options of a password',
      next,
      `await auth.passwords.change({ current, password: form.get('b') })`,
      `await auth.passwords.change({ currentPassword: current, newPassword: form.get('b') })`,
    ],
    [
      'options of a removed password',
      next,
      `await auth.passwords.remove({ current: a })`,
      `await auth.passwords.remove({ currentPassword: a })`,
    ],
    [
      'what a link is for',
      next,
      `await auth.passwords.ask({ wish: isNew ? 'sign-up' : 'forgot', email })`,
      `await auth.passwords.sendLink({ purpose: isNew ? 'sign-up' : 'reset', email })`,
    ],
    [
      'options that have a name',
      next,
      `const o = { refused: t }\nauth.getAccessToken('x', o)`,
      `const o = { rejectedToken: t }\nauth.accounts.getAccessToken('x', o)`,
    ],
    [
      'options of unlinking',
      hono,
      `auth.unlinkAccount(c, a, { hasOtherWayIn: true })`,
      `auth.accounts.unlink(c, a, { hasOtherSignInMethod: true })`,
    ],
    [
      'why an account stays linked',
      hono,
      `const { unlinked, why } = await auth.unlinkAccount(c, a)\nif (why === 'last_way_in') stop(why)`,
      `const { unlinked, reason } = await auth.accounts.unlink(c, a)\nif (reason === 'only_sign_in_method') stop(reason)`,
    ],
    [
      'a chain',
      hono,
      `const call = auth\n  // as it is\n  ?.endUser`,
      `const call = auth\n  // as it is\n  ?.users.endSessions`,
    ],
  ])('changes calls: %s', async (_, setup, before, after) => {
    const { text, output } = await upgraded(`${setup}${before}\n`)
    expect(text).toBe(`${setup}${after}\n`)
    expect(output).not.toContain('Look at')
  })

  it('leaves alone what only looks like ours', async () => {
    const other = `import { endUser } from './own'\nconst auth = other()\nauth.endUser(1)\nendUser(2)\nauth.signIn(r, { provider: 'x' })\nconst o = { account: { memo: 1 }, code: 'short' }\nif (o.code === 'short') listSessions()\n`
    expect((await upgraded(other)).text).toBe(other)
    const hidden = `${hono}export function f(auth: { endUser(): void }) {\n  auth.endUser()\n}\n`
    expect((await upgraded(hidden)).text).toBe(hidden)
  })

  describe('names that stand for a call', () => {
    it('become those of groups, in all files that import them', async () => {
      const { project } = await upgraded(
        `import SiteAuth from '@siteauth/next'\nexport const { handlers, auth, listSessions, endSession, endUser } = SiteAuth({ providers: [] })\n`,
        {
          file: 'auth.ts',
          others: {
            'page.tsx': `import { auth, endSession, listSessions } from './auth'\n\nexport async function Page() {\n  await listSessions()\n  return <form action={endSession} />\n}\n`,
            'kick.ts': `import * as all from './auth'\nimport { endUser as kick } from './auth'\n\nexport const both = (id: string) => [kick(id), all.endUser(id), { kick }]\n`,
            'named.ts': `import { listSessions } from './auth'\n\nexport async function count() {\n  const sessions = await listSessions()\n  return sessions.length\n}\n`,
          },
        },
      )
      expect(project.read('auth.ts')).toContain(
        'export const { handlers, auth, sessions, users } = SiteAuth(',
      )
      expect(project.read('page.tsx')).toBe(
        `import { auth, sessions } from './auth'\n\nexport async function Page() {\n  await sessions.list()\n  return <form action={sessions.end} />\n}\n`,
      )
      expect(project.read('kick.ts')).toBe(
        `import * as all from './auth'\nimport { users } from './auth'\n\nexport const both = (id: string) => [users.endSessions(id), all.users.endSessions(id), { kick: users.endSessions }]\n`,
      )
      expect(project.read('named.ts')).toBe(
        `import { sessions as authSessions } from './auth'\n\nexport async function count() {\n  const sessions = await authSessions.list()\n  return sessions.length\n}\n`,
      )
    })

    it('are found by the type of a parameter or a field', async () => {
      const { text } = await upgraded(
        `import type { HonoAuth } from '@siteauth/hono'\nimport { SiteAuthService } from '@siteauth/nestjs'\n\nexport const end = (auth: HonoAuth, id: string) => auth.endUser(id)\n\nexport class Users {\n  constructor(private readonly auth: SiteAuthService) {}\n  end = (id: string) => this.auth.endUser(id)\n}\n`,
      )
      expect(text).toContain('auth: HonoAuth, id: string) => auth.users.endSessions(id)')
      expect(text).toContain('this.auth.users.endSessions(id)')
    })

    it('are found where Nuxt imports them by itself', async () => {
      const { project } = await upgraded(
        `import { SiteAuth } from '@siteauth/nuxt/h3'\nexport const auth = SiteAuth({ providers: [] })\n`,
        {
          file: 'server/utils/auth.ts',
          others: {
            'server/api/end.ts': `export default defineEventHandler(event => auth.endOtherSessions(event))\n`,
          },
        },
      )
      expect(project.read('server/utils/auth.ts')).toContain(`from '@siteauth/nuxt/server'`)
      expect(project.read('server/api/end.ts')).toContain('auth.sessions.endOthers(event)')
    })
  })

  describe('functions of Express', () => {
    it('are methods of one instance, for each configuration', async () => {
      const { text, output } = await upgraded(
        `import { endSession, endUser, getSession, providerFetch, requireSession, ServerAuth, session, signIn } from '@siteauth/express'\nimport { config } from './config'\n\napp.use('/auth', ServerAuth(config))\napp.use(session(config))\napp.get('/', requireSession(config, { allow }), async (req, res) => {\n  await endSession(req, res, config, req.body.handle)\n  await providerFetch(req, res, config, { provider: 'x', url, wish: { refused: t } })\n  await endUser(id, config)\n  await signIn(req, res, config)\n  return getSession(req, res, config)\n})\n`,
      )
      expect(text).toBe(
        `import { SiteAuth, getSession, ServerAuth } from '@siteauth/express'\nimport { config } from './config'\n\nconst auth = SiteAuth(config)\n\napp.use('/auth', ServerAuth(config))\napp.use(auth.sessionMiddleware)\napp.get('/', auth.requireSession({ allow }), async (req, res) => {\n  await auth.sessions.end(req, req.body.handle)\n  await auth.accounts.fetch(req, 'x', url, undefined, { rejectedToken: t })\n  await auth.users.endSessions(id)\n  await auth.signIn(req)\n  return getSession(req, config)\n})\n`,
      )
      expect(output).not.toContain('Look at')
    })

    it('find the instance that is there, and another name if theirs is taken', async () => {
      const there = await upgraded(
        `import { endUser, SiteAuth } from '@siteauth/express'\n\nconst config = { providers: [] }\nconst site = SiteAuth(config)\nendUser('1', config)\n`,
      )
      expect(there.text).toContain(`site.users.endSessions('1')`)
      const taken = await upgraded(
        `const { endUser } = require('@siteauth/express')\n\nconst config = { providers: [] }\nconst auth = 1\nendUser('1', config)\n`,
        { file: 'file.js' },
      )
      expect(taken.text).toBe(
        `const { SiteAuth } = require('@siteauth/express')\n\nconst config = { providers: [] }\n\nconst siteAuth = SiteAuth(config)\nconst auth = 1\nsiteAuth.users.endSessions('1')\n`,
      )
    })

    it('make an instance in place of a configuration without a name', async () => {
      const { text } = await upgraded(
        `import { signOut } from '@siteauth/express'\n\napp.post('/', (req, res, next) => {\n  signOut(req, res, configs[mode]).catch(next)\n})\n`,
      )
      expect(text).toBe(
        `import { SiteAuth } from '@siteauth/express'\n\napp.post('/', (req, _res, next) => {\n  SiteAuth(configs[mode]).signOut(req).catch(next)\n})\n`,
      )
    })
  })

  it.each([
    [
      `session: { revocation: { check: 'view', pollEvery: 2, maxStale: 60, whenStale: 'unknown' } }`,
      `session: { revocation: { check: 'always', pollSeconds: 2, maxStaleSeconds: 60, whenStale: 'reject' } }`,
    ],
    [`jwt: { cacheSize: 0 }`, `jwt: { cacheBytes: 0 }`],
    [
      `account: { sealTokens: true, keepTokens, memo: 0 }`,
      `account: { encryptTokens: true, storeTokensInCookie: keepTokens, tokenCacheSeconds: 0 }`,
    ],
    [
      `limits: { rules: { code: { account: [{ burst: 1, every: 2, longest: 3, most: 4, memory: 5 }], network: { every: 1 } } } }`,
      `limits: { rules: { code: { account: [{ burst: 1, refillSeconds: 2, maxDelaySeconds: 3, maxFailures: 4, forgetAfterSeconds: 5 }], network: { refillSeconds: 1 } } } }`,
    ],
    [
      `callbacks: { userHasOtherWaysIn }`,
      `callbacks: { userHasOtherSignInMethods: userHasOtherWaysIn }`,
    ],
    [
      `translations: { de: { tryAnotherWay: 'd', lastWayIn: 'a', mailKnown: 'b', mailUnknown: 'c' } }`,
      `translations: { de: { tryAnotherMethod: 'd', onlySignInMethod: 'a', mailExistingUser: 'b', mailNoUser: 'c' } }`,
    ],
    [
      `providers: [{ id: 'x', style: { mark } }]`,
      `providers: [{ id: 'x', style: { logoPath: mark } }]`,
    ],
  ])('renames options wherever they are: %s', async (before, after) => {
    const { project } = await upgraded(
      `import { options } from './options'\n${hono.replace('{ providers: [] }', `{ ...options, ${before} }`)}`,
      {
        others: {
          'options.ts': `export const options = { ${before} }\n`,
          'typed.ts': `import type { AuthConfig } from '@siteauth/core'\nexport const make = (): AuthConfig => ({ ${before} })\nexport const b = { ${before} } satisfies AuthConfig\n`,
          'unrelated.ts': `export const options = { ${before} }\n`,
        },
      },
    )
    expect(project.read('file.ts')).toContain(`SiteAuth({ ...options, ${after} })`)
    expect(project.read('options.ts')).toBe(`export const options = { ${after} }\n`)
    expect(project.read('typed.ts')).toContain(`=> ({ ${after} })`)
    expect(project.read('typed.ts')).toContain(`{ ${after} } satisfies`)
    expect(project.read('unrelated.ts')).toBe(`export const options = { ${before} }\n`)
  })

  it('renames options that lacked their unit', async () => {
    const { text } = await upgraded(
      `import { PostgresAdapter } from '@siteauth/adapters/postgres'\nimport { createFakeProvider } from '@siteauth/testing/provider'\n\nexport const adapter = PostgresAdapter({ pool, timeout: 200 })\nconst provider = await createFakeProvider({ tokenLifetime: 60 })\nprovider.fail({ delay: 5 })\n`,
    )
    expect(text).toContain('PostgresAdapter({ pool, timeoutMilliseconds: 200 })')
    expect(text).toContain('createFakeProvider({ tokenLifetimeSeconds: 60 })')
    expect(text).toContain('provider.fail({ delayMilliseconds: 5 })')
  })

  it('renames the functions that a test replaces in a stand-in of Next', async () => {
    const { text } = await upgraded(
      `import { createAuthStandIn, type StandInAnswers } from '@siteauth/testing/next'\n\nexport const replaced: StandInAnswers = {}\nexport const auth = createAuthStandIn({ answers: replaced })\n`,
    )
    expect(text).toContain('export const replaced: StandInReplacements = {}')
    expect(text).toContain('createAuthStandIn({ replacements: replaced })')
  })

  it('renames options of passwords, and a part of a configuration', async () => {
    const { text } = await upgraded(
      `import type { AuthConfig } from '@siteauth/core'\nimport Password from '@siteauth/core/providers/password'\n\nexport const session: AuthConfig['session'] = { revocation: { pollEvery: 2 } }\nexport const password = Password({ rules: { least: 8, most: 64, words: [] }, hashing: { atOnce: 2 } })\n`,
    )
    expect(text).toContain('= { revocation: { pollSeconds: 2 } }')
    expect(text).toContain(
      'Password({ rules: { minLength: 8, maxLength: 64, forbiddenWords: [] }, hashing: { concurrency: 2 } })',
    )
  })

  it.each([
    ['AccessTokenError', 'signed_out', 'not_signed_in'],
    ['AccessTokenError', 'several_accounts', 'ambiguous_account'],
    ['AccessTokenError', 'not_kept', 'tokens_not_stored'],
    ['AccessTokenError', 'cannot_store', 'store_read_only'],
    ['PasswordRefused', 'short', 'too_short'],
    ['PasswordRefused', 'long', 'too_long'],
    ['PasswordRefused', 'common', 'too_common'],
    ['PasswordRefused', 'wrong', 'wrong_password'],
    ['PasswordRefused', 'last', 'only_sign_in_method'],
    ['EmailCodeError', 'wrong', 'wrong_code'],
    ['EmailCodeError', 'over', 'expired'],
  ])('renames the codes of %s where they are compared: %s', async (error, old, code) => {
    const before = (name: string) =>
      `import { ${error} } from '@siteauth/core/errors'\n\nconst TEXTS: Record<string, string> = { ${name}: 'no', other: '${old}' }\nexport function textOf(error: unknown) {\n  if (!(error instanceof ${error})) throw error\n  if (error.code === '${name}' || '${name}' !== error?.code || ['${name}'].includes(error.code)) return '${old}'\n  switch (error.code) {\n    case '${name}':\n      return TEXTS[error.code]\n  }\n}\n`
    const { text, output } = await upgraded(before(old))
    expect(text).toBe(before(code))
    expect(output).not.toContain('Look at')
  })

  it('renames everything that entries export by another name', async () => {
    const rows = GROUPED_CALLS.exports.flatMap(({ from, names, to }) =>
      from.flatMap(entry =>
        Object.entries(names).map(([old, name]) => ({ entry, old, module: to ?? entry, name })),
      ),
    )
    const alone = (name: string, entry: string) =>
      `import { ${name} } from '${entry}'\n\nexport type A = ${name} | typeof ${name}\n`
    const aliased = (name: string, entry: string) =>
      `import { ${name} as Mine } from '${entry}'\n\nexport type A = Mine\n`
    const files = (make: (row: (typeof rows)[0]) => readonly [string, string]) =>
      Object.fromEntries(
        rows.flatMap((row, index) => {
          const [name, entry] = make(row)
          return [
            [`alone${index}.ts`, alone(name, entry)],
            [`aliased${index}.ts`, aliased(name, entry)],
          ]
        }),
      )
    const project = createProject(files(({ old, entry }) => [old, entry]))
    await project.run('upgrade')
    const expected = createProject(files(({ name, module }) => [name, module]))
    expect(contents(project)).toEqual(contents(expected))
    expect(rows.length).toBeGreaterThan(50)
  })

  it('keeps a name in a file that has the new one for something else, and what it exports', async () => {
    const { text } = await upgraded(
      `import { GuardOptions, type Session } from '@siteauth/astro'\nexport type { NotKnown } from '@siteauth/react'\n\ntype RequireSessionOptions = 1\nexport type A = GuardOptions | RequireSessionOptions\n`,
    )
    expect(text).toBe(
      `import { RequireSessionOptions as GuardOptions, type Session } from '@siteauth/astro'\nexport type { SessionLoading as NotKnown } from '@siteauth/react'\n\ntype RequireSessionOptions = 1\nexport type A = GuardOptions | RequireSessionOptions\n`,
    )
  })

  it('renames what an integration of another framework has', async () => {
    const { text } = await upgraded(
      `import { bind, type Host, toResponse } from '@siteauth/core/integration'\n\nconst host: Host<Context, Response> = {\n  request: ({ request }) => request,\n  answer(_context, answer) {\n    return toResponse(answer)\n  },\n}\nexport async function answer(context: Context) {\n  const auth = bind(host, config)\n  if (auth.answersItself(context)) return auth.handle(context)\n  const { session, refusal } = await auth.guard(context)\n  return refusal ? refusal.answer : [session, auth.guardInFront(), await auth.session(context)]\n}\n`,
    )
    expect(text).toBe(
      `import { createIntegration, type FrameworkAdapter, toResponse } from '@siteauth/core/integration'\n\nconst host: FrameworkAdapter<Context, Response> = {\n  request: ({ request }) => request,\n  respond(_context, answer) {\n    return toResponse(answer)\n  },\n}\nexport async function answer(context: Context) {\n  const auth = createIntegration(host, config)\n  if (auth.handles(context)) return auth.handle(context)\n  const { session, denial } = await auth.guard(context)\n  return denial ? denial.answer : [session, auth.createGuard(), await auth.calls.getSession(context)]\n}\n`,
    )
  })

  it('calls functions of the browser by their groups, also in hooks and with their options', async () => {
    const { text } = await upgraded(
      `import { askForPassword, changePassword, createPasswordsClient, usePassword } from '@siteauth/react/passwords'\nimport { endOtherSessions } from '@siteauth/react/sessions'\n\nconst client = createPasswordsClient({ basePath: '/x' })\nclient.askForPassword({ wish: 'forgot', email })\nawait askForPassword({ wish: 'sign-up', email })\nawait changePassword({ current: 'a', password: 'b' })\nexport function Form() {\n  const { askForPassword: ask, removePassword } = usePassword()\n  ask({ wish: 'forgot', email })\n  removePassword({ current: 'a' })\n  return endOtherSessions\n}\n`,
    )
    expect(text).toBe(
      `import { passwords, createPasswordsClient, usePassword } from '@siteauth/react/passwords'\nimport { sessions } from '@siteauth/react/sessions'\n\nconst client = createPasswordsClient({ basePath: '/x' })\nclient.passwords.sendLink({ purpose: 'reset', email })\nawait passwords.sendLink({ purpose: 'sign-up', email })\nawait passwords.change({ currentPassword: 'a', newPassword: 'b' })\nexport function Form() {\n  const { sendLink: ask, remove } = usePassword()\n  ask({ purpose: 'reset', email })\n  remove({ currentPassword: 'a' })\n  return sessions.endOthers\n}\n`,
    )
  })

  describe('components', () => {
    it.each([
      [
        'page.vue',
        '<script setup lang="ts">\n',
        '\n</script>\n\n<template><a>askForPassword 😀</a></template>\n',
      ],
      ['page.svelte', '<h1>Hello 😀</h1>\n<script>\n', '\n</script>\n'],
      ['page.astro', '---\n', '\n---\n<h1>askForPassword</h1>\n'],
    ])('%s has its code upgraded, and nothing else', async (file, open, close) => {
      const { text } = await upgraded(
        `${open}import { SiteAuth } from '@siteauth/hono'\nconst auth = SiteAuth({ providers: [] })\nif (x) await auth.endUser(id)${close}`,
        { file },
      )
      expect(text).toBe(
        `${open}import { SiteAuth } from '@siteauth/hono'\nconst auth = SiteAuth({ providers: [] })\nif (x) await auth.users.endSessions(id)${close}`,
      )
    })

    it('keeps a name that the template uses', async () => {
      const { text } = await upgraded(
        `<script setup>\nimport { usePassword } from '@siteauth/vue/passwords'\nconst { askForPassword } = usePassword()\n</script>\n<template><form @submit="askForPassword" /></template>\n`,
        { file: 'page.vue' },
      )
      expect(text).toContain('const { sendLink: askForPassword } = usePassword()')
    })
  })

  it.each([
    [
      'a removed type',
      `import type { SignInWish } from '@siteauth/core'\nexport type A = SignInWish\n`,
      'file.ts:1',
      'auth.applyTo',
    ],
    [
      'an internal function',
      `import { checkSession } from '@siteauth/core/integration'\ncheckSession()\n`,
      'file.ts:1',
      'createIntegration of @siteauth/core/integration',
    ],
    [
      'a result as a whole',
      `${core}const result = await auth.signIn(request)\nsend(result.url, result.setCookies)\n`,
      'file.ts:3',
      'takeSetCookies',
    ],
    [
      'a sign-in that is prepared',
      `${core}const wish = { provider: 'x' }\nawait auth.signIn(request, wish)\n`,
      'file.ts:4',
      'signIn(request, provider, options, params)',
    ],
    [
      'a URL that is passed on',
      `${hono}c.redirect(await auth.passwords.change(c, { current: a }))\n`,
      'file.ts:3',
      'It redirects now',
    ],
    [
      'a function that is passed on',
      `import { session } from '@siteauth/express'\nchoose(session)\n`,
      'file.ts:1',
      'SiteAuth(config).sessionMiddleware',
    ],
    [
      'a code of two errors',
      `import { EmailCodeError, PasswordRefused } from '@siteauth/express'\nif (error.code === 'wrong') a(EmailCodeError, PasswordRefused)\n`,
      'file.ts:2',
      'depending on the error',
    ],
    [
      'a code in a page without imports',
      `if (code === 'short') explain()\n// @siteauth/next\n`,
      'file.ts:1',
      'node_modules/@siteauth/core/dist/errors.md',
    ],
    [
      'the field of a form',
      `export const Password = () => <input name="current" type="password" />\n`,
      'file.tsx:1',
      'currentPassword',
    ],
    [
      'an option of unknown value',
      `${hono.replace('[]', '[], session: { revocation: { check } }')}`,
      'file.ts:2',
      'view is always now',
    ],
    [
      'the response of a guard',
      `import type { Integration } from '@siteauth/core/integration'\nexport const deny = ({ denial }) => denial?.answer\n`,
      'file.ts:2',
      'denial.response',
    ],
    [
      'the member of an error',
      `import { EmailSignInError } from '@siteauth/core/errors'\nexport const failed = error => error instanceof EmailSignInError && error.isServerFault\n`,
      'file.ts:2',
      'isServerError',
    ],
    [
      'a fake provider that a test responds for',
      `import { createFakeProvider } from '@siteauth/testing/provider'\nprovider.change.answer = respond\n`,
      'file.ts:2',
      'change.respond',
    ],
  ])('lists what a person has to look at, by its line: %s', async (_, text, where, what) => {
    const [file = ''] = where.split(':')
    const { output, project } = await upgraded(text, { file })
    const [, ...remarks] = output.split('Look at these yourself:')
    expect(remarks.join('')).toContain(`  ${where}\n`)
    expect(remarks.join('')).toContain(what)
    // The same again: nothing more can be changed.
    const before = contents(project)
    await project.run('upgrade')
    expect(contents(project)).toEqual(before)
  })

  describe('what it leaves alone', () => {
    it('names files that it cannot parse, and changes the others', async () => {
      const { project, output } = await upgraded(`${hono}auth.endUser(1)\n`, {
        others: { 'broken.ts': `import '@siteauth/hono'\nconst =\n` },
      })
      expect(project.read('broken.ts')).toContain('const =')
      expect(output).toContain('broken.ts')
      expect(project.read('file.ts')).toContain('auth.users.endSessions(1)')
    })

    it('does not write through a link that leads out of the project', async () => {
      const outside = createProject({ 'auth.ts': `${hono}auth.endUser(1)\n` })
      const project = createProject({ 'package.json': '{"name":"app"}' })
      symlinkSync(join(outside.folder, 'auth.ts'), join(project.folder, 'auth.ts'))
      const { output } = await project.run('upgrade')
      expect(outside.read('auth.ts')).toContain('auth.endUser(1)')
      expect(output).toContain('It is a link out of this project, and was left as it is.')
    })

    it('says so if a file is in another encoding', async () => {
      const project = createProject({ 'package.json': '{"name":"app"}' })
      writeFileSync(join(project.folder, 'auth.ts'), Buffer.from(`// \xe4\n${hono}`, 'latin1'))
      expect((await project.run('upgrade')).output).toContain('It is not UTF-8')
    })
  })

  it('upgrades every package of a workspace', async () => {
    const { project } = await upgraded(`${hono}auth.endUser(1)\n`, {
      file: 'apps/site/auth.ts',
      others: { 'apps/site/package.json': '{"name":"site"}' },
    })
    expect(project.read('apps/site/auth.ts')).toContain('auth.users.endSessions(1)')
  })

  const fixtures = join(ROOT, 'fixtures/upgrade/grouped-calls')
  describe.each(readdirSync(join(fixtures, 'before')))('on the application %s', name => {
    function fixture() {
      const project = createProject()
      cpSync(join(fixtures, 'before', name), project.folder, { recursive: true })
      return project
    }
    const expected = () => {
      const project = createProject()
      cpSync(join(fixtures, 'after', name), project.folder, { recursive: true })
      return contents(project)
    }

    it('makes what was expected, and nothing the second time', async () => {
      const project = fixture()
      const { code } = await project.run('upgrade')
      expect(code).toBe(0)
      expect(contents(project)).toEqual(expected())
      expect((await project.run('upgrade')).output).toContain(
        'No name of an earlier version is left.',
      )
      expect(contents(project)).toEqual(expected())
    })

    it('shows the same as a diff first, without writing anything', async () => {
      const project = fixture()
      const before = contents(project)
      const { code, output } = await project.run('upgrade', '--dry-run')
      expect(code).toBe(3)
      expect(output).toMatch(/^--- a\/.*\n\+\+\+ b\/.*\n@@ /m)
      expect(contents(project)).toEqual(before)
    })
  })
})

describe('the table of names', () => {
  const now = exportedNow()

  it('has a row for every name that an entry exported and does not export any more', () => {
    const missing: string[] = []
    for (const [entry, names] of exportedBefore()) {
      const moved = GROUPED_CALLS.modules[entry] ?? entry
      for (const name of names) {
        if (now.get(moved)?.has(name)) continue
        const isKnown =
          GROUPED_CALLS.exports.some(each => each.from.includes(moved) && name in each.names) ||
          GROUPED_CALLS.removed.some(
            each => each.from.includes(moved) && each.names.includes(name),
          ) ||
          GROUPED_CALLS.members.some(each => each.of.includes(moved) && each.from === name) ||
          GROUPED_CALLS.functions.some(each => each.from === moved && each.name === name)
        if (!isKnown) missing.push(`${entry}: ${name}`)
      }
    }
    expect(missing).toEqual([])
  })

  it('leads only to names that there are', () => {
    const unknown = GROUPED_CALLS.exports.flatMap(({ from, names, to }) =>
      (to ? [to] : from).flatMap(entry =>
        Object.values(names)
          .filter(name => !now.get(entry)?.has(name))
          .map(name => `${entry}: ${name}`),
      ),
    )
    expect(unknown).toEqual([])
  })
})

/** What entries exported before calls were grouped. */
function exportedBefore(): readonly (readonly [string, readonly string[]])[] {
  const file = new URL('exported-before-grouped-calls.txt', import.meta.url)
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => {
      const [entry = '', names = ''] = line.split(': ')
      return [entry, names.split(' ')] as const
    })
}

/** What entries export now, by the API reports. */
function exportedNow(): ReadonlyMap<string, ReadonlySet<string>> {
  const entries = new Map<string, Set<string>>()
  for (const folder of readdirSync(join(ROOT, 'packages'))) {
    const reports = readdirSync(join(ROOT, 'packages', folder)).filter(name =>
      name.endsWith('.api.md'),
    )
    for (const report of reports) {
      let entry = ''
      const text = readFileSync(join(ROOT, 'packages', folder, report), 'utf8')
      for (const line of text.split('## Declarations')[0]?.split('\n') ?? []) {
        if (line.startsWith('### ')) entry = line.slice(4)
        const [, name] = /^- ([^:]+): /.exec(line) ?? []
        const [, whole = ''] = /^- everything from (.+)$/.exec(line) ?? []
        const names = name ? [name] : [...(entries.get(whole) ?? [])]
        entries.set(entry, new Set([...(entries.get(entry) ?? []), ...names]))
      }
    }
  }
  return entries
}
