import { describe, expect, it } from 'vitest'
import {
  checkBlocks,
  checkEndpoints,
  checkErrors,
  checkPagesAreListed,
  checkStartPages,
  checkVariables,
} from './check-docs.mjs'
import { makeRepository } from './fixture.ts'
import { checkOptions } from './options-docs.mjs'
import { checkPrintedSecrets } from './printed-secrets.mjs'

const library = 'packages/core/src/lib'

describe('errors', () => {
  const sources = {
    [`${library}/base/errors.ts`]: `const ERRORS = { Broken: 'visible', Lost: 'hidden' } as const`,
    [`${library}/base/warnings.ts`]: `export const cureOf = { 'short-secret': '', 'debug-enabled': '' }`,
  }

  it('have to be explained, and so have warnings', () => {
    const root = makeRepository({ ...sources, 'docs/errors.md': '### Broken\n### short-secret\n' })
    expect(checkErrors(root)).toEqual([
      'docs/errors.md does not explain Lost: add "### Lost"',
      'docs/errors.md does not explain debug-enabled: add "### debug-enabled"',
    ])
  })

  it('that there are no more must not be explained', () => {
    const page = '### Broken\n### Lost\n### short-secret\n### debug-enabled\n### Ancient\n'
    const root = makeRepository({ ...sources, 'docs/errors.md': page })
    expect(checkErrors(root)).toEqual([
      'docs/errors.md explains Ancient, which the library does not raise',
    ])
  })
})

describe('variables', () => {
  it('that a package reads have to be on the page', () => {
    const root = makeRepository({
      [`${library}/env.ts`]: `env['AUTH_SECRET']; process.env.AUTH_OTHER; ['AUTH_GITHUB_ID'] // 'AUTH_NO'`,
      'docs/reference/environment.md': '| `AUTH_SECRET` |',
    })
    expect(checkVariables(root)).toEqual([
      'docs/reference/environment.md does not say what AUTH_OTHER is for',
      'docs/reference/environment.md does not say what AUTH_<PROVIDER>_ID is for',
    ])
  })
})

describe('endpoints', () => {
  it('have to be on their page', () => {
    const root = makeRepository({
      [`${library}/http/request.ts`]: `export const AUTH_ACTIONS = ['session', 'signin', 'sign'] as const`,
      'docs/reference/endpoints.md': '`GET /session`, `POST /signin/:provider`',
    })
    expect(checkEndpoints(root)).toEqual([
      'docs/reference/endpoints.md does not say what /sign does',
    ])
  })
})

describe('blocks of code', () => {
  it('are of a language that something reads', () => {
    const root = makeRepository({ 'README.md': '```ts\n```\n```js\n```\n```\ndrawing\n```\n' })
    expect(checkBlocks(root)).toEqual([
      expect.stringMatching(/^README\.md:3 a block of "js" is compiled by nothing/),
    ])
  })

  it('run scripts and install packages that there are', () => {
    const root = makeRepository({
      'package.json': '{ "scripts": { "test": "" } }',
      'README.md': '```sh\nnpm run test\nnpm run fly\nnpm i @siteauth/core @siteauth/gone\n```\n',
    })
    expect(checkBlocks(root)).toEqual([
      'README.md:1 there is no script "fly"',
      'README.md:1 there is no package @siteauth/gone',
    ])
  })

  it('of JSON can be read, and every block ends', () => {
    const root = makeRepository({ 'a.md': '```json\n{ a: 1 }\n```\n', 'b.md': '```ts\nopen' })
    expect(checkBlocks(root)).toEqual([
      expect.stringMatching(/^a\.md:1 the JSON cannot be read/),
      'b.md:1 the block does not end',
    ])
  })
})

describe('a start page', () => {
  const example = {
    'package.json': '{ "workspaces": ["examples/next"] }',
    'examples/next/package.json': '{}',
    'examples/hono/package.json': '{ "dependencies": { "hono": "^4.0.0" } }',
    'examples/hono/server.ts': 'one\ntwo\nthree\n',
    'examples/hono/.env.example': 'SECRET=x\n',
  }

  it('shows files of its example, or parts of them', () => {
    const page = '```ts [server.ts]\none\ntwo\n```\n```ini [.env]\nSECRET=x\n```\n'
    expect(checkStartPages(makeRepository({ ...example, 'docs/start/hono.md': page }))).toEqual([])
  })

  it('must not show or install anything else', () => {
    const page = '```ts [server.ts]\none\nthree\n```\n```sh\nnpm install -D hono@4 koa\n```\n'
    expect(checkStartPages(makeRepository({ ...example, 'docs/start/hono.md': page }))).toEqual([
      'docs/start/hono.md:1 is not what examples/hono/server.ts says',
      'docs/start/hono.md installs koa, and examples/hono does not',
    ])
  })

  it('is there for each example that the workspace does not compile', () => {
    expect(checkStartPages(makeRepository(example))).toEqual([
      'examples/hono has no start page: add docs/start/hono.md',
    ])
  })
})

describe('a secret', () => {
  it('is printed by no page, no example and no comment that becomes a page', () => {
    const root = makeRepository({
      'docs/a.md':
        "```ini [.env]\nAUTH_SECRET=at-least-32-random-characters\n```\nsecret: 'open sesame'\n",
      'examples/hono/.env.example': 'NODE_ENV=test\nAUTH_SECRET_1="changeme"\n',
      'packages/core/src/a.ts': " * secret: 'known to all',\nconst a = { secret: 'of a check' }\n",
    })
    const printed = [
      'docs/a.md:2',
      'docs/a.md:4',
      'examples/hono/.env.example:2',
      'packages/core/src/a.ts:1',
    ]
    const fault = 'prints a secret: have the reader run npx siteauth secret'
    expect(checkPrintedSecrets(root)).toEqual(printed.map(place => `${place} ${fault}`))
  })

  it('comes from a command or from a variable', () => {
    const root = makeRepository({
      'a.md':
        'AUTH_SECRET=$(npx siteauth secret --raw) npm start\n`AUTH_SECRET=`, AUTH_SECRET: process.env.OTHER\n',
      'b.md':
        'secret: process.env.AUTH_SECRET, client_secret: "{clientSecret}", secret: crypto.randomUUID()\n',
    })
    expect(checkPrintedSecrets(root)).toEqual([])
  })
})

describe('the menu', () => {
  it('leads to every page, and only to pages', () => {
    const root = makeRepository({ 'docs/index.md': '', 'docs/a.md': '', 'docs/b/c.md': '' })
    const menu = [{ text: 'Start', items: [{ link: '/a' }, { link: '/gone' }] }]
    expect(checkPagesAreListed(root, menu)).toEqual([
      'the menu of the site does not lead to docs/b/c',
      'the menu of the site leads to /gone, which is not there',
    ])
  })
})

describe('options', () => {
  const parts = {
    'session/jwt.ts': 'JWTOptions',
    'base/callbacks.ts': 'Callbacks',
    'base/logger.ts': 'LoggerInstance',
    'look/theme.ts': 'Theme',
    'base/ports.ts': 'Ports',
  }

  function options(config: string): string {
    const declare = (name: string) => `export interface ${name} {\n/** Said. */\none: string }\n`
    return makeRepository({
      ...Object.fromEntries(
        Object.entries(parts).map(([file, name]) => [`${library}/${file}`, declare(name)]),
      ),
      'packages/next/src/lib/config/auth-config.ts': declare('NextAuthCallbacks'),
      [`${library}/config/options.ts`]: `${declare('SessionOptions')}export interface AuthConfig {\n${config}\n}`,
    })
  }

  it('have to say what they are for', () => {
    const root = options('/** Said. */\nsaid?: string\nsilent?: string\n// why\nremark: boolean')
    expect(checkOptions(root, { update: true })).toEqual([
      'the option silent has no comment that says what it is for',
      'the option remark has no comment that says what it is for',
    ])
  })

  it('are on a page that is written anew when they change', () => {
    const root = options('/** Where sessions are. */\nsession?: SessionOptions | undefined')
    expect(checkOptions(root)).toEqual([expect.stringContaining('options.md is out of date')])
    expect(checkOptions(root, { update: true })).toEqual([])
    expect(checkOptions(root)).toEqual([])
  })
})
