import { posix } from 'node:path'
import MagicString from 'magic-string'
import type { CallExpression, Node } from 'oxc-parser'
import { countUses, declares, editImports, importsIn, importText } from '../code/edit-imports.ts'
import { lineOf, nameOf, parseSource, type Source, visit } from '../code/source.ts'
import { type Remark, relativeModule, type Workspace } from '../code/workspace.ts'
import { modulesIn } from './rename-modules.ts'

/** Where `auth` is after the move, and what it and the options are called there. */
export interface MovedHandler {
  readonly file: string
  readonly options: string
  readonly auth: string
}

const HANDLER =
  /^(src\/)?(?:pages\/api\/auth\/\[\.\.\.nextauth\]|app\/(?:.*\/)?api\/auth\/\[\.\.\.nextauth\]\/route)\.([cm]?[jt]sx?)$/

/**
 * v4 made a handler of the options in one file, and handed the options around. Now one call makes all there is,
 * beside the options; the route passes its handlers on.
 */
export function moveHandler(workspace: Workspace, remarks: Remark[]): MovedHandler | null {
  const from = workspace.files().find(file => HANDLER.test(file))
  const source = from ? workspace.source(from) : null
  if (!from || !source) return null
  const leave = (what: string): null => {
    remarks.push({ where: from, what })
    return null
  }
  const call = findCall(source)
  const [options] = call?.node.arguments ?? []
  if (call?.node.arguments.length !== 1 || !options) {
    return leave(
      'The handler is made per request. Pass a function to NextAuth() instead: NextAuth(request => options).',
    )
  }
  if (isUsedOtherwise(source, call)) {
    return leave(
      'The handler is wrapped in code of your own. Call NextAuth() beside the options, and wrap `handlers.GET` and `handlers.POST` of its result.',
    )
  }
  const route = routeOf(from)
  if (route !== from && workspace.has(route))
    return leave(`${route} is in the way. It is to have: export const { GET, POST } = handlers`)
  const imported = options.type === 'Identifier' ? source.imports.get(options.name) : undefined
  const moved = imported
    ? extendOptions(workspace, workspace.resolve(from, imported.module), imported.name)
    : moveOptions(workspace, source, call)
  if (!moved) {
    const text = source.text.slice(options.start, options.end)
    return leave(
      `The options ${text} were not found, or their file has \`handlers\` of its own. Call NextAuth(${text}) beside them, and export its handlers and auth.`,
    )
  }
  const text = imported
    ? rebased(editRoute(source, call), route, source)
    : newRoute(source, route, moved)
  if (route !== from) workspace.remove(from)
  redirectImports(workspace, from, moved.file)
  workspace.write(route, text)
  return moved
}

/** Pages had it among the API routes; route handlers are in the other folder. */
function routeOf(from: string): string {
  const [, folder = '', extension = 'ts'] = HANDLER.exec(from) ?? []
  return isRoute(from) ? from : `${folder}app/api/auth/[...nextauth]/route.${extension}`
}

function isRoute(file: string): boolean {
  return /\/route\.\w+$/.test(file)
}

interface FoundCall {
  readonly node: CallExpression
  /** The statement that it is in. */
  readonly statement: Node
  /** The name that its result has, if it has one. */
  readonly result: string | null
}

function findCall({ program, imports }: Source): FoundCall | null {
  const isCall = (node: Node | null | undefined): node is CallExpression =>
    node?.type === 'CallExpression' &&
    node.callee.type === 'Identifier' &&
    imports.get(node.callee.name)?.module === 'next-auth'
  for (const statement of program.body) {
    if (statement.type === 'ExportDefaultDeclaration' && isCall(statement.declaration)) {
      return { node: statement.declaration, statement, result: null }
    }
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    const [only, second] = declaration.declarations
    if (only && !second && isCall(only.init)) {
      return { node: only.init, statement, result: nameOf(only.id) }
    }
  }
  return null
}

/** Whether a statement does no more than export the handler. */
function passesOn(statement: Node, result: string | null): boolean {
  const isResult = (node: Node | null | undefined) =>
    node?.type === 'Identifier' && node.name === result
  if (statement.type === 'ExportDefaultDeclaration') return isResult(statement.declaration)
  if (statement.type !== 'ExportNamedDeclaration' || statement.source) return false
  const { declaration, specifiers } = statement
  if (declaration) {
    return (
      declaration.type === 'VariableDeclaration' &&
      declaration.declarations.every(({ init }) => isResult(init))
    )
  }
  return specifiers.length > 0 && specifiers.every(({ local }) => nameOf(local) === result)
}

function isUsedOtherwise({ program }: Source, { result, statement }: FoundCall): boolean {
  if (result === null) return false
  return program.body
    .filter(each => each !== statement && !passesOn(each, result))
    .some(each => {
      let isUsed = false
      visit(each, node => {
        isUsed ||= node.type === 'Identifier' && node.name === result
        return undefined
      })
      return isUsed
    })
}

/** The file with the options, with the call that makes everything of them. */
function extendOptions(
  workspace: Workspace,
  file: string | null,
  exported: string,
): MovedHandler | null {
  const source = file ? workspace.source(file) : null
  const name = source && exported === 'default' ? defaultName(source) : exported
  if (!file || !source || !name || !declares(source, name)) return null
  const changed = new MagicString(source.text)
  const made = newNames(source, removeOldAuth(changed, source))
  if (!made) return null
  const statements = source.imports.has('NextAuth')
    ? []
    : [importText(source, 'NextAuth', 'next-auth')]
  editImports(changed, source, { statements })
  const end = /;\r?\n/.test(source.text) ? ';' : ''
  const lineBreak = /\n$/.test(source.text) ? '' : '\n'
  changed.append(`${lineBreak}\nexport const { ${made.names} } = NextAuth(${name})${end}\n`)
  workspace.write(file, changed.toString())
  return { file, options: name, auth: made.auth }
}

/** The name that a file has for what it exports by default. */
function defaultName({ program }: Source): string | null {
  const found = program.body.find(each => each.type === 'ExportDefaultDeclaration')
  return found ? nameOf(found.declaration) : null
}

/** The wrapper that the documentation of v4 had people write, under the name of what replaces it. */
function removeOldAuth(changed: MagicString, { program, text }: Source): boolean {
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const { declaration } = statement
    const [only, second] =
      declaration?.type === 'VariableDeclaration' ? declaration.declarations : [declaration]
    if (second || !only || !('id' in only) || !only.id || nameOf(only.id) !== 'auth') continue
    if (!text.slice(statement.start, statement.end).includes('getServerSession')) continue
    changed.remove(statement.start, statement.end)
    return true
  }
  return false
}

/** What is taken out of the result of the call; null if the file has such names already. */
function newNames(
  source: Source,
  hadOldAuth: boolean,
): { readonly names: string; readonly auth: string } | null {
  if (declares(source, 'handlers')) return null
  const auth = !hadOldAuth && declares(source, 'auth') ? 'siteAuth' : 'auth'
  const optional = ['signIn', 'signOut'].filter(name => !declares(source, name))
  const names = ['handlers', auth === 'auth' ? 'auth' : `auth: ${auth}`, ...optional]
  return { names: names.join(', '), auth }
}

// What Next reads from the file of a route, and nowhere else.
const SEGMENT =
  /^export const (?:dynamic|dynamicParams|revalidate|fetchCache|runtime|preferredRegion|maxDuration)\b/

function isSegment(statement: Node, { text, file }: Source): boolean {
  return isRoute(file) && SEGMENT.test(text.slice(statement.start, statement.end))
}

/** Options that were in the file of the handler get a file of their own, where others can import them. */
function moveOptions(
  workspace: Workspace,
  source: Source,
  { node, statement, result }: FoundCall,
): MovedHandler | null {
  const [, folder = '', extension = 'ts'] = HANDLER.exec(source.file) ?? []
  const stem = ['auth', 'authentication', 'site-auth'].find(
    each => workspace.resolve('x', `./${folder}${each}`) === null,
  )
  const changed = new MagicString(source.text)
  const made = newNames(source, removeOldAuth(changed, source))
  const [options] = node.arguments
  if (!stem || !made || !options) return null
  const file = `${folder}${stem}.${extension}`
  const name = options.type === 'Identifier' ? options.name : 'authOptions'
  const end = source.text.slice(statement.start, statement.end).endsWith(';') ? ';' : ''
  const text = source.text.slice(options.start, options.end)
  const declared = options.type === 'Identifier' ? '' : `export const ${name} = ${text}${end}\n\n`
  changed.overwrite(
    statement.start,
    statement.end,
    `${declared}export const { ${made.names} } = NextAuth(${name})${end}`,
  )
  for (const each of source.program.body) {
    if (each === statement) continue
    if (passesOn(each, result) || isSegment(each, source)) removeLine(changed, source, each)
  }
  const own = changed.toString().trimEnd()
  workspace.write(file, rebased(`${own}\n`, file, source))
  return { file, options: name, auth: made.auth }
}

function newRoute(source: Source, route: string, { file }: MovedHandler): string {
  const segments = source.program.body
    .filter(each => isSegment(each, source))
    .map(each => `${source.text.slice(each.start, each.end)}\n`)
  return [
    `import { handlers } from '${relativeModule(route, file)}'\n\n`,
    ...segments,
    'export const { GET, POST } = handlers\n',
  ].join('')
}

/** A route whose options are elsewhere: it gets its handlers from there, and keeps all else that is in it. */
function editRoute(source: Source, { node, statement, result }: FoundCall): string {
  const changed = new MagicString(source.text)
  const exports = source.program.body.filter(each => each !== statement && passesOn(each, result))
  const [place = statement, ...others] = exports
  const end = source.text.slice(place.start, place.end).endsWith(';') ? ';' : ''
  changed.overwrite(place.start, place.end, `export const { GET, POST } = handlers${end}`)
  for (const each of place === statement ? others : [statement, ...others]) {
    removeLine(changed, source, each)
  }
  const callee = nameOf(node.callee) ?? ''
  const options = node.arguments[0] ? (nameOf(node.arguments[0]) ?? '') : ''
  const edits = importsIn(source).flatMap(declaration => {
    const names = declaration.specifiers.map(({ local }) => local.name)
    const unused = [callee, options].filter(
      name => names.includes(name) && countUses(source, name) === 1,
    )
    const add = names.includes(options) ? ['handlers'] : []
    return unused.length + add.length > 0 ? [{ declaration, remove: unused, add }] : []
  })
  editImports(changed, source, { edits })
  return changed.toString().trimStart()
}

function removeLine(changed: MagicString, { text }: Source, { start, end }: Node): void {
  const [rest = ''] = /^[ \t]*\r?\n/.exec(text.slice(end)) ?? []
  changed.remove(start, end + rest.length)
}

/** A text that was in one file, for another folder: what it imports is where it was. */
function rebased(text: string, file: string, { file: from }: Source): string {
  const source = parseSource(file, text)
  if (!source || posix.dirname(file) === posix.dirname(from)) return text
  const changed = new MagicString(text)
  for (const { value, start, end } of modulesIn(source)) {
    if (!/^\.\.?(?:\/|$)/.test(value)) continue
    const target = posix.join(posix.dirname(from), value)
    const path = posix.relative(posix.dirname(file), target)
    changed.overwrite(start, end, path.startsWith('.') ? path : `./${path}`)
  }
  return changed.toString()
}

/** What imported the options from the file of the handler finds them in their new one. */
function redirectImports(workspace: Workspace, from: string, to: string): void {
  if (from === to) return
  const stem = from.replace(/\.[cm]?[jt]sx?$/, '')
  const ours = to.replace(/\.[cm]?[jt]sx?$/, '').replace(/^src\//, '')
  for (const file of workspace.files()) {
    if (!workspace.read(file)?.includes('[...nextauth]')) continue
    const source = workspace.source(file)
    if (!source || file === routeOf(from)) continue
    const changed = new MagicString(source.text)
    for (const { value, start, end } of modulesIn(source)) {
      const target = value.startsWith('.') ? posix.join(posix.dirname(file), value) : value
      // Whatever folder an alias stands for: no other file is called like that.
      if (!`/${target.replace(/\.[cm]?jsx?$/, '')}`.endsWith(`/${stem.replace(/^src\//, '')}`))
        continue
      const alias = /^[@~]\//.exec(value)?.[0]
      const isResolved = alias && workspace.resolve(file, alias + ours) === to
      changed.overwrite(start, end, isResolved ? alias + ours : relativeModule(file, to))
    }
    workspace.write(file, changed.toString())
  }
}

/** Where something is in a file. */
export function placeIn(source: Source, node: Node): string {
  return `${source.file}:${lineOf(source, node.start)}`
}
