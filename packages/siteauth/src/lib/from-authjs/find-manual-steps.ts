import type { Node } from 'oxc-parser'
import { nameOf, type Source, visit } from '../code/source.ts'
import type { Remark, Workspace } from '../code/workspace.ts'
import { START_WITHOUT, startScriptWithout } from '../project/start-script.ts'
import { placeIn } from './move-handler.ts'

/** What no rule can decide, and a person should look at. */
export function findRemarks(
  workspace: Workspace,
  {
    isV4,
    nextVersion,
    env,
  }: {
    readonly isV4: boolean
    readonly nextVersion: string | null
    readonly env: Readonly<Record<string, string>>
  },
): readonly Remark[] {
  const sources = workspace
    .files()
    .filter(file => /@siteauth\/|next-auth|@auth\/|@hono\/auth-js/.test(workspace.read(file) ?? ''))
    .flatMap(file => workspace.source(file) ?? [])
  const [major] = nextVersion?.match(/\d+/) ?? []
  const hasAdapter = sources.some(({ text }) => /\badapter\b\s*[:,]/.test(text))
  return [
    ...(major && Number(major) < 15
      ? [
          {
            where: 'package.json',
            what: `Next ${nextVersion} is too old: SiteAuth needs 15 or 16. Run npx @next/codemod@latest upgrade.`,
          },
        ]
      : []),
    ...(env['AUTH_REDIRECT_PROXY_URL']
      ? [aboutRedirectProxy('AUTH_REDIRECT_PROXY_URL in the environment')]
      : []),
    ...aboutStart(workspace, env),
    ...sources.flatMap(source => inCode(source, isV4)),
    ...(hasAdapter
      ? [
          {
            where: 'the database',
            what: MARK_ADDRESSES,
          },
        ]
      : []),
    ...(isV4
      ? [
          {
            where: 'sessions',
            what: "v4 encrypted its tokens with another key: with JWT sessions, people sign in once more. With sessions in a database they stay, if the cookie keeps its name: cookies: { sessionToken: { name: '__Secure-next-auth.session-token', options: { secure: true } } }.",
          },
        ]
      : []),
  ]
}

/** In words and in SQL, because whoever runs the command has the packages and not the documentation. */
const MARK_ADDRESSES = [
  'Mark addresses that providers have verified, or some people get a second user. With the providers you trust to verify them,',
  'and unless your application lets people change their address or remove accounts:',
  `UPDATE users SET "emailVerified" = now() WHERE "emailVerified" IS NULL AND email IS NOT NULL`,
  `  AND EXISTS (SELECT 1 FROM accounts a WHERE a."userId" = users.id AND a.provider IN ('google', 'apple'))`,
  `  AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a."userId" = users.id AND a.provider NOT IN ('google', 'apple'))`,
].join('\n    ')

function aboutStart(
  workspace: Workspace,
  env: Readonly<Record<string, string>>,
): readonly Remark[] {
  const name = startScriptWithout(parsed(workspace.read('package.json') ?? ''), env)
  if (name === null) return []
  const { what, cure } = START_WITHOUT
  return [{ where: 'package.json', what: `The script "${name}" ${what} ${cure}` }]
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return Object(JSON.parse(text))
  } catch {
    return null
  }
}

function aboutRedirectProxy(where: string): Remark {
  return {
    where,
    what: 'List your previews in `redirectProxyOrigins`, on the proxy too: without the list, nothing is passed on.',
  }
}

function inCode(source: Source, isV4: boolean): readonly Remark[] {
  const remarks: Remark[] = []
  const add = (node: Node, what: string) => remarks.push({ where: placeIn(source, node), what })
  visit(source.program, node => {
    if (node.type === 'Literal' && node.value === 'HS256') {
      add(
        node,
        'HS256: tokens are encrypted, not signed. Remove `encode` and `decode` unless another program reads the cookie; with them, both libraries read the same.',
      )
    }
    if (node.type !== 'Property') return undefined
    const name = nameOf(node.key)
    if (name === 'jwt' && isFunctionNode(node.value)) readsUpdate(node.value, add)
    if (name === 'redirectProxyUrl') {
      const { where, what } = aboutRedirectProxy(placeIn(source, node))
      remarks.push({ where, what })
    }
    if (name === 'authorize' && isV4 && isFunctionNode(node.value)) {
      add(
        node,
        'The values in `credentials` are of type unknown now: check that they are strings before you use them.',
      )
    }
    return undefined
  })
  return remarks
}

function isFunctionNode(node: Node): boolean {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'
}

/** A visitor can send anything with an update, so its type is unknown. */
function readsUpdate(callback: Node, add: (node: Node, what: string) => void): void {
  if (callback.type !== 'ArrowFunctionExpression' && callback.type !== 'FunctionExpression') return
  const [pattern] = callback.params
  const takesSession =
    pattern?.type === 'ObjectPattern' &&
    pattern.properties.some(each => each.type === 'Property' && nameOf(each.key) === 'session')
  if (!takesSession) return
  let first: Node | null = null
  visit(callback, node => {
    const isRead = node.type === 'MemberExpression' && nameOf(node.object) === 'session'
    const isSpread = node.type === 'SpreadElement' && nameOf(node.argument) === 'session'
    if (isRead || isSpread) first ??= node
    return undefined
  })
  if (first) {
    add(
      first,
      "The `session` of an update is unknown, because a visitor can send anything: pick out what you want, and check it: const { name } = Object(session), and then typeof name === 'string'.",
    )
  }
}
