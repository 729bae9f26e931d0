import MagicString from 'magic-string'
import type { Expression, Node, ObjectExpression } from 'oxc-parser'
import { countUses, declares, editImports, importsIn, importText } from '../code/edit-imports.ts'
import { nameOf, type Source, visit } from '../code/source.ts'
import type { Remark, Workspace } from '../code/workspace.ts'
import { placeIn } from './move-handler.ts'
import { modulesIn } from './rename-modules.ts'

const GUARD = /^(src\/)?(middleware|proxy)\.([cm]?[jt]s)$/
const MIDDLEWARE = 'next-auth/middleware'
const SIGNED_IN = 'callbacks: { authorized: ({ auth }) => Boolean(auth) }'

/** The file that Next runs in front of pages. */
export function moveProxy(workspace: Workspace, nextMajor: number, remarks: Remark[]): void {
  const guards = workspace.files().filter(each => GUARD.test(each))
  const file = guards.find(each => isOfAuthjs(workspace.source(each)))
  if (!file) return
  for (const rewrite of [replaceWithAuth, replaceDestructured]) {
    const source = workspace.source(file)
    if (source) workspace.write(file, rewrite(source, remarks))
  }
  const source = workspace.source(file)
  const [, folder = '', name, extension] = GUARD.exec(file) ?? []
  if (!source || name !== 'middleware' || nextMajor < 16) return
  const obstacle = obstacleTo(workspace, source, guards)
  if (obstacle) {
    remarks.push({ where: file, what: obstacle })
    return
  }
  workspace.remove(file)
  workspace.write(`${folder}proxy.${extension}`, renamed(source))
}

/** Why it cannot have the name that Next 16 looks for; null if it can. */
function obstacleTo(
  workspace: Workspace,
  { file, text, program }: Source,
  guards: readonly string[],
): string | null {
  const proxy = guards.find(each => /proxy\.\w+$/.test(each))
  if (proxy) return `Next 16 runs ${proxy} alone: put what this file does into that one.`
  if (/\bruntime\b/.test(text)) {
    return 'Next 16 calls it proxy, and runs it on Node only: remove `runtime`, and rename the file.'
  }
  const importer = workspace.files().find(each => {
    if (each === file || !/middleware/.test(workspace.read(each) ?? '')) return false
    const source = workspace.source(each)
    return source && modulesIn(source).some(({ value }) => workspace.resolve(each, value) === file)
  })
  if (importer) {
    return `Next 16 calls it proxy: rename the file and its function, also in ${importer}.`
  }
  let uses = 0
  visit(program, node => {
    if (node.type === 'Identifier' && node.name === 'middleware') uses++
    return undefined
  })
  return uses > 2 ? 'Next 16 calls it proxy: rename the file and its function.' : null
}

/** Whether a file asks Auth.js, or the application's own `auth`, who is there. */
function isOfAuthjs(source: Source | null): boolean {
  return source !== null && modulesIn(source).some(({ value }) => /auth/i.test(value))
}

/** Under the name that Next 16 looks for. */
function renamed(source: Source): string {
  const changed = new MagicString(source.text)
  for (const statement of source.program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const { declaration, specifiers } = statement
    const exported = specifiers.find(each => nameOf(each.exported) === 'middleware')?.exported
    if (exported) {
      const isAlone = /\sas\s*$/.test(source.text.slice(0, exported.start))
      changed.overwrite(exported.start, exported.end, isAlone ? 'proxy' : 'middleware as proxy')
    }
    if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === 'middleware') {
      changed.overwrite(declaration.id.start, declaration.id.end, 'proxy')
    }
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id } of declaration.declarations) {
      if (id.type === 'Identifier' && id.name === 'middleware') {
        changed.overwrite(id.start, id.start + 'middleware'.length, 'proxy')
      }
    }
  }
  return changed.toString()
}

/** Next 16 finds no function in `export const { auth: middleware } = NextAuth(config)`. */
function replaceDestructured(source: Source): string {
  const changed = new MagicString(source.text)
  const hasDefault = source.program.body.some(each => each.type === 'ExportDefaultDeclaration')
  for (const statement of source.program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || hasDefault) continue
    if (statement.declaration?.type !== 'VariableDeclaration') continue
    const [only, second] = statement.declaration.declarations
    if (!only || second || only.id.type !== 'ObjectPattern' || !only.init) continue
    const [property, other] = only.id.properties
    if (other || property?.type !== 'Property' || nameOf(property.key) !== 'auth') continue
    if (countUses(source, nameOf(property.value) ?? '') > (property.shorthand ? 2 : 1)) continue
    const made = source.text.slice(only.init.start, only.init.end)
    const end = source.text.slice(statement.start, statement.end).endsWith(';') ? ';' : ''
    changed.overwrite(statement.start, statement.end, `export default ${made}.auth${end}`)
  }
  return changed.toString()
}

/** v4's `withAuth`, in each of its forms. */
function replaceWithAuth(source: Source, remarks: Remark[]): string {
  const changed = new MagicString(source.text)
  const locals = [...source.imports]
    .filter(([, { module, name }]) => module === MIDDLEWARE && /^(?:default|withAuth)$/.test(name))
    .map(([local]) => local)
  let isReplaced = false
  for (const statement of source.program.body) {
    const end = source.text.slice(statement.start, statement.end).endsWith(';') ? ';' : ''
    const replace = (what: string) => {
      changed.overwrite(statement.start, statement.end, `export default ${what}${end}`)
      isReplaced = true
    }
    if (statement.type === 'ExportNamedDeclaration' && statement.source?.value === MIDDLEWARE) {
      replace(`NextAuth({ providers: [], ${SIGNED_IN} }).auth`)
    }
    if (statement.type !== 'ExportDefaultDeclaration') continue
    const { declaration } = statement
    if (declaration.type === 'Identifier' && locals.includes(declaration.name)) {
      replace(`NextAuth({ providers: [], ${SIGNED_IN} }).auth`)
    }
    if (
      declaration.type !== 'CallExpression' ||
      !locals.includes(nameOf(declaration.callee) ?? '')
    ) {
      continue
    }
    const [first, second] = declaration.arguments
    const options = first?.type === 'ObjectExpression' ? first : second
    const handler = first?.type === 'ObjectExpression' ? null : first
    if (options && options.type !== 'ObjectExpression') continue
    const config = configText(source, options ?? null, remarks)
    if (!handler) replace(`NextAuth(${config}).auth`)
    else if (isFunction(handler)) {
      replace(`NextAuth(${config}).auth(${handlerText(source, handler, remarks)})`)
    }
  }
  if (!isReplaced) {
    if (locals.length > 0) {
      remarks.push({
        where: source.file,
        what:
          'withAuth is gone: export NextAuth(config).auth, with ' +
          'callbacks: { authorized: ({ auth }) => Boolean(auth) }.',
      })
    }
    return source.text
  }
  const edits = importsIn(source)
    .filter(declaration => declaration.source.value === MIDDLEWARE)
    .map(declaration => ({
      declaration,
      remove: declaration.specifiers.map(({ local }) => local.name),
    }))
  const hasType = edits.some(({ remove }) => remove.includes('NextRequestWithAuth'))
  const types = hasType ? ', { type NextAuthRequest }' : ''
  const statements = declares(source, 'NextAuth')
    ? []
    : [importText(source, `NextAuth${types}`, 'next-auth')]
  editImports(changed, source, { edits, statements })
  return changed.toString().replaceAll(/\bNextRequestWithAuth\b/g, 'NextAuthRequest')
}

function isFunction(
  node: Node,
): node is Extract<Expression, { type: 'ArrowFunctionExpression' | 'FunctionExpression' }> {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'
}

/** The options of withAuth as a configuration, whose `authorized` is told of sessions, not tokens. */
function configText(source: Source, options: ObjectExpression | null, remarks: Remark[]): string {
  if (!options) return `{ providers: [], ${SIGNED_IN} }`
  const inner = new MagicString(source.text)
  inner.appendRight(options.start + 1, ` providers: [],`)
  const callbacks = memberOf(options, 'callbacks')
  const authorized =
    callbacks?.type === 'ObjectExpression' ? memberOf(callbacks, 'authorized') : null
  if (!callbacks) {
    inner.appendRight(options.start + 1, ` ${SIGNED_IN},`)
  } else if (authorized && isFunction(authorized)) {
    rewriteAuthorized(inner, source, authorized, remarks)
  } else {
    remarks.push({
      where: placeIn(source, callbacks),
      what: '`authorized` gets { auth, request } now: the session instead of the token.',
    })
  }
  return inner.slice(options.start, options.end)
}

function rewriteAuthorized(
  inner: MagicString,
  source: Source,
  authorized: Extract<Expression, { type: 'ArrowFunctionExpression' | 'FunctionExpression' }>,
  remarks: Remark[],
): void {
  const [pattern] = authorized.params
  if (!pattern) return
  if (pattern.type !== 'ObjectPattern') {
    remarks.push({
      where: placeIn(source, authorized),
      what: '`authorized` gets { auth, request } now: the session instead of the token.',
    })
    return
  }
  const names: Readonly<Record<string, string>> = { token: 'auth', req: 'request' }
  for (const property of pattern.properties) {
    if (property.type !== 'Property') continue
    const key = nameOf(property.key) ?? ''
    const local = nameOf(property.value) ?? key
    const current = names[key]
    if (!current) continue
    inner.overwrite(property.start, property.end, `${current}: ${local}`)
    if (key === 'token') rewriteClaims(inner, source, authorized, local, remarks)
  }
}

/** Claims of the token are members of the session's user. */
function rewriteClaims(
  inner: MagicString,
  source: Source,
  within: Node,
  token: string,
  remarks: Remark[],
): void {
  visit(within, node => {
    if (node.type !== 'MemberExpression' || nameOf(node.object) !== token) return undefined
    if (node.object.type !== 'Identifier') return undefined
    const claim = nameOf(node.property) ?? ''
    inner.overwrite(node.object.end, node.property.start, node.computed ? '?.user?.[' : '?.user?.')
    if (claim === 'sub' && !node.computed) {
      inner.overwrite(node.property.start, node.property.end, 'id')
    }
    if (!['name', 'email'].includes(claim)) remarks.push(aboutClaim(source, node, claim))
    return undefined
  })
}

function aboutClaim(source: Source, node: Node, claim: string): Remark {
  return {
    where: placeIn(source, node),
    what: `The proxy gets the session, not the token: \`${claim}\` is there only if the \`session\` callback puts it into session.user. Give the proxy the same callbacks.`,
  }
}

/** The function that withAuth wrapped: `req.nextauth.token` is `req.auth`. */
function handlerText(
  source: Source,
  handler: Extract<Expression, { type: 'ArrowFunctionExpression' | 'FunctionExpression' }>,
  remarks: Remark[],
): string {
  const inner = new MagicString(source.text)
  visit(handler, (node, parent) => {
    if (node.type !== 'MemberExpression') return undefined
    const text = source.text.slice(node.start, node.end)
    const [, request] = /^(\w+)\.nextauth\??\.token$/.exec(text) ?? []
    if (!request) return undefined
    inner.overwrite(node.start, node.end, `${request}.auth`)
    if (parent?.type === 'MemberExpression' && parent.object === node) {
      const claim = nameOf(parent.property) ?? ''
      inner.overwrite(node.end, parent.property.start, parent.computed ? '?.user?.[' : '?.user?.')
      if (!['name', 'email'].includes(claim)) remarks.push(aboutClaim(source, node, claim))
    }
    return false
  })
  return inner.slice(handler.start, handler.end)
}

function memberOf(object: ObjectExpression, name: string): Expression | null {
  for (const property of object.properties) {
    if (property.type === 'Property' && nameOf(property.key) === name) return property.value
  }
  return null
}
