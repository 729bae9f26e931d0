import { posix } from 'node:path'
import MagicString from 'magic-string'
import type { CallExpression, Node } from 'oxc-parser'
import { lineOf, nameOf, type Source } from '../code/source.ts'
import { addImport, declares, importsIn } from './edit-imports.ts'
import { type Remark, relativeModule, type Workspace } from './workspace.ts'

/** Where `auth` is after the move, and what the options are called there. */
export interface MovedHandler {
  readonly file: string
  readonly options: string
  /** The file that had the handler before. */
  readonly from: string
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
  const call = findCall(source)
  const [options] = call?.node.arguments ?? []
  if (call?.node.arguments.length !== 1 || !options) {
    remarks.push({
      where: from,
      what: 'The handler is made per request. Pass a function to NextAuth() instead: NextAuth(request => options). See "From v4" in docs/guide/from-authjs.md.',
    })
    return null
  }
  const name = options.type === 'Identifier' ? options.name : 'authOptions'
  const imported = options.type === 'Identifier' ? source.imports.get(name) : undefined
  const file = imported
    ? extendOptions(workspace, workspace.resolve(from, imported.module), name)
    : moveOptions(workspace, source, call, name)
  if (!file) {
    remarks.push({
      where: from,
      what: `The options ${name} were not found. Call NextAuth(${name}) beside them, and export its handlers and auth.`,
    })
    return null
  }
  writeRoute(workspace, from, file)
  redirectImports(workspace, from, file)
  return { file, options: name, from }
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
    for (const { id, init } of declaration.declarations) {
      if (isCall(init)) return { node: init, statement, result: nameOf(id) }
    }
  }
  return null
}

/** The file with the options, with the call that makes everything of them. */
function extendOptions(workspace: Workspace, file: string | null, name: string): string | null {
  const source = file ? workspace.source(file) : null
  if (!file || !source || !declares(source, name)) return null
  const changed = new MagicString(source.text)
  removeOldAuth(changed, source)
  if (!source.imports.has('NextAuth')) addImport(changed, source, 'NextAuth', 'next-auth')
  const end = source.text.includes(';\n') ? ';' : ''
  changed.append(`\nexport const { ${newNames(source)} } = NextAuth(${name})${end}\n`)
  workspace.write(file, changed.toString())
  return file
}

/** The wrapper that the documentation of v4 had people write, under the name of what replaces it. */
function removeOldAuth(changed: MagicString, { program, text }: Source): void {
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const { declaration } = statement
    if (declaration?.type !== 'FunctionDeclaration' || declaration.id?.name !== 'auth') continue
    if (text.slice(statement.start, statement.end).includes('getServerSession')) {
      changed.remove(statement.start, statement.end)
    }
  }
}

function newNames(source: Source): string {
  const optional = ['signIn', 'signOut'].filter(name => !declares(source, name))
  return ['handlers', 'auth', ...optional].join(', ')
}

/** Options that were in the file of the handler get a file of their own, where others can import them. */
function moveOptions(
  workspace: Workspace,
  source: Source,
  { node, statement, result }: FoundCall,
  name: string,
): string {
  const [, folder = '', ending = 'ts'] = HANDLER.exec(source.file) ?? []
  const stem = ['auth', 'authentication', 'site-auth'].find(
    each => workspace.resolve('x', `./${folder}${each}`) === null,
  )
  const file = `${folder}${stem}.${ending}`
  const changed = new MagicString(source.text)
  const [options] = node.arguments
  const end = source.text.slice(statement.start, statement.end).endsWith(';') ? ';' : ''
  const text = options ? source.text.slice(options.start, options.end) : '{}'
  const declared = options?.type === 'Identifier' ? '' : `export const ${name} = ${text}${end}\n\n`
  changed.overwrite(
    statement.start,
    statement.end,
    `${declared}export const { ${newNames(source)} } = NextAuth(${name})${end}`,
  )
  for (const each of source.program.body) {
    // `export { handler as GET, handler as POST }`
    const isOfHandler =
      each.type === 'ExportNamedDeclaration' &&
      !each.source &&
      each.specifiers.length > 0 &&
      each.specifiers.every(({ local }) => nameOf(local) === result)
    if (isOfHandler) changed.remove(each.start, each.end)
  }
  for (const { source: module } of importsIn(source)) {
    if (!module.value.startsWith('.')) continue
    const target = posix.join(posix.dirname(source.file), module.value)
    const path = posix.relative(posix.dirname(file), target)
    changed.overwrite(module.start + 1, module.end - 1, path.startsWith('.') ? path : `./${path}`)
  }
  workspace.remove(source.file)
  workspace.write(file, `${changed.toString().trimEnd()}\n`)
  return file
}

function writeRoute(workspace: Workspace, from: string, auth: string): void {
  const [, folder = '', ending = 'ts'] = HANDLER.exec(from) ?? []
  const isRoute = /\/route\.\w+$/.test(from)
  const route = isRoute ? from : `${folder}app/api/auth/[...nextauth]/route.${ending}`
  if (!isRoute) workspace.remove(from)
  workspace.write(
    route,
    `import { handlers } from '${relativeModule(route, auth)}'\n\nexport const { GET, POST } = handlers\n`,
  )
}

/** What imported the options from the file of the handler finds them in their new one. */
function redirectImports(workspace: Workspace, from: string, to: string): void {
  if (from === to) return
  const stem = from.replace(/\.[cm]?[jt]sx?$/, '')
  for (const file of workspace.files()) {
    const source = workspace.source(file)
    if (!source) continue
    const changed = new MagicString(source.text)
    for (const { source: module } of importsIn(source)) {
      const isAlias = /^[@~]\//.test(module.value)
      const target = isAlias
        ? [module.value.slice(2), `src/${module.value.slice(2)}`]
        : module.value.startsWith('.')
          ? [posix.join(posix.dirname(file), module.value)]
          : []
      if (!target.includes(stem) || file.includes('[...nextauth]')) continue
      const own = to.replace(/\.[cm]?[jt]sx?$/, '')
      const path = isAlias
        ? `${module.value.slice(0, 2)}${own.replace(/^src\//, '')}`
        : relativeModule(file, to)
      changed.overwrite(module.start + 1, module.end - 1, path)
    }
    workspace.write(file, changed.toString())
  }
}

/** Where something is in a file. */
export function placeIn(source: Source, node: Node): string {
  return `${source.file}:${lineOf(source, node.start)}`
}
