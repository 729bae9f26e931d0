// A call takes some 100,000 arguments at most, by the stack that is left: more end it with a RangeError. So no list of unknown
// length becomes arguments.
import { join, relative } from 'node:path'
import { parseFile, visit } from './syntax.mjs'
import { listPackages, listSources, ROOT, runAsScript } from './workspace.mjs'

/** Why the lists that are spread into arguments are short: by their files, relative to `packages/`, and what is spread. */
const SHORT = {
  'adapters/src/lib/redis/redis-client.ts': { command: 'callers send parts of at most CHUNK' },
  'adapters/src/lib/redis/revocations/revocations.ts': { keysToFind: 'a part of at most CHUNK' },
  'adapters/src/lib/redis/tracked-sessions.ts': { others: 'a part of at most CHUNK' },
  'adapters/src/lib/sql/sqlite/open-sqlite.ts': {
    parameters: 'SQLite takes 32,766 parameters at most',
  },
  'client/src/lib/store/session-store.ts': { 'delays.filter(each => each > 0)': 'three delays' },
  'core/src/lib/account/store-account.ts': { only: 'no condition or one' },
  'core/src/lib/api/run-call.ts': { args: 'the arguments of a call' },
  'core/src/lib/api/visits.ts': { 'cookies.map(serializeCookie)': 'the cookies of one response' },
  'core/src/lib/base/logger.ts': { '(metadata ? [asText(metadata)] : [])': 'one text or none' },
  'core/src/lib/config/user-revocations.ts': {
    'ages.map(age => age + MARGIN)': 'an age for each provider that is configured',
  },
  'core/src/lib/http/duplicate-session-cookies.ts': {
    'longer.slice(0, MAX_ENDED)': 'cut to MAX_ENDED',
  },
  'core/src/lib/oauth/logout/session-keys.ts': {
    "(isName(sid) ? ['sid', sid] : ['at', String(auth_time ?? idToken)])": 'two texts',
  },
  'core/src/lib/oauth/provider/sent-members.ts': { entry: 'a name and a value' },
  'core/src/lib/oauth/token/session-limit.ts': { times: 'two claims' },
  'core/src/lib/pages/shared/style.ts': { hash: 'the 32 bytes of a SHA-256' },
  'core/src/lib/passwords/phc.ts': { bytes: 'a salt or a key that we derived' },
  'core/src/lib/providers/provider-requests.ts': {
    'tokenRequest(tokenUrl(provider), quirks, values)': 'the arguments of a request',
  },
  'core/src/lib/revocation/start-time.ts': {
    'existing.flatMap(([key, last]) => (texts.includes(key) ? last + 1 : []))': 'MAX_EXISTING',
  },
  'react/src/lib/use-session.ts': {
    '(readingOf.get(given) ?? [() => () => {}, get, get])': 'three functions',
  },
  'siteauth/src/lib/from-authjs/move.ts': {
    "readEnvFiles(folder, 'production').map(each => each.variables)": 'the .env files of a project',
  },
  'siteauth/src/lib/init/templates.ts': {
    'storeImports(store)': 'lines of a template',
    'storeOption(store)': 'lines of a template',
    SERVER: 'lines of a template',
  },
  'siteauth/src/lib/project/env-files.ts': {
    'files.map(({ variables }) => variables).reverse()': 'the .env files of a project',
  },
  'siteauth/src/lib/schema/prisma.ts': {
    'wanted.map(({ name }) => `${table.model}.${name}`)': 'the fields of one of our tables',
  },
  'siteauth/src/lib/upgrade/change-sign-in.ts': {
    "items.flatMap((item, at) => (at > 0 ? [', ', ...item] : item))":
      'the members of an object that somebody wrote',
  },
  'siteauth/src/lib/upgrade/file-edit.ts': { names: 'the names of one import' },
  'sveltekit/src/lib/note-cookies.ts': {
    'announced.header': 'a name and a value',
    'withHeaders(input, init, own)': 'the arguments of fetch',
  },
  'testing/src/lib/authenticator-cases.ts': { bytes: 'an id that the case made' },
  'testing/src/lib/integration/attack-cases.ts': {
    'responses.flatMap((response, index) => findProblems(batch[index], response, check))':
      'a few faults for each of AT_ONCE responses',
  },
  'testing/src/lib/next/auth-stand-in.ts': { given: 'the arguments of a call' },
  'testing/src/lib/revocation-cases.ts': {
    'Array.from({ length: 94 }, (_, index) => 33 + index)': '94 characters',
    generations: 'twenty',
    'generations.map(Number)': 'twenty',
  },
}

/**
 * Lists that are spread into arguments, unless they are known to be short; and reasons that nothing needs any more.
 *
 * @param {Readonly<Record<string, Readonly<Record<string, string>>>>} short
 */
export function checkSpreads(root = ROOT, short = SHORT) {
  const unused = new Set(
    Object.entries(short).flatMap(([file, lists]) =>
      Object.keys(lists).map(list => `${file}: ${list}`),
    ),
  )
  const faults = []
  for (const { path } of listPackages(root)) {
    for (const file of listSources(join(path, 'src'))) {
      const name = relative(join(root, 'packages'), join(path, 'src', file))
      for (const { list, line } of spreadsIn(join(path, 'src', file))) {
        const isShort = short[name]?.[list] !== undefined
        if (isShort) unused.delete(`${name}: ${list}`)
        else {
          faults.push(
            `packages/${name}:${line}: ...${list} becomes arguments, and may be too long for a call. Cure: a loop or concat, or a line in tools/check-spreads.mjs that says why it is short`,
          )
        }
      }
    }
  }
  const stale = [...unused].map(each => `tools/check-spreads.mjs: nothing spreads ${each}`)
  return [...faults, ...stale]
}

/** The lists that a file spreads into arguments. Arguments that a function passes on are as many as its caller wrote. */
function spreadsIn(file) {
  const { text, program } = parseFile(file)
  const found = []
  look(program, new Set())
  return found

  function look(node, received) {
    visit(node, below => {
      if (below !== node && FUNCTIONS.has(below.type)) {
        const rest = below.params.at(-1)
        const own = rest?.type === 'RestElement' ? [rest.argument.name] : []
        look(below, new Set([...received, ...own]))
        return false
      }
      if (!CALLS.has(below.type)) return true
      for (const { type, argument } of below.arguments) {
        if (type !== 'SpreadElement' || received.has(argument.name)) continue
        const list = text.slice(argument.start, argument.end).replaceAll(/\s+/g, ' ')
        found.push({ list, line: text.slice(0, argument.start).split('\n').length })
      }
      return true
    })
  }
}

const CALLS = new Set(['CallExpression', 'NewExpression'])
const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'])

runAsScript(import.meta.url, checkSpreads)
