import MagicString from 'magic-string'
import type { CallExpression, Node } from 'oxc-parser'
import {
  countUses,
  declares,
  editImports,
  type ImportEdit,
  importsIn,
  importText,
} from '../code/edit-imports.ts'
import { nameOf, type Source, visit } from '../code/source.ts'
import { type Remark, relativeModule, type Workspace } from '../code/workspace.ts'
import { type MovedHandler, placeIn } from './move-handler.ts'
import { renameTypes } from './rename-types.ts'

const OLD_NAMES = ['getServerSession', 'unstable_getServerSession']

/** Calls and types of v4, in every file. */
export function moveCalls(
  workspace: Workspace,
  handler: MovedHandler | null,
  remarks: Remark[],
): void {
  for (const file of workspace.files()) {
    if (!workspace.read(file)?.includes('next-auth')) continue
    const typed = workspace.source(file)
    if (typed) workspace.write(file, renameTypes(typed))
    const source = workspace.source(file)
    if (source) workspace.write(file, replaceCalls(workspace, source, handler, remarks))
    const tokens = workspace.source(file)
    if (tokens) workspace.write(file, addSecrets(tokens))
  }
}

function replaceCalls(
  workspace: Workspace,
  source: Source,
  handler: MovedHandler | null,
  remarks: Remark[],
): string {
  const old = [...source.imports].filter(
    ([, { module, name }]) => /^next-auth(?:\/next)?$/.test(module) && OLD_NAMES.includes(name),
  )
  const locals = old.map(([local]) => local)
  if (locals.length === 0) return source.text
  const calls: CallExpression[] = []
  visit(source.program, node => {
    const isCall = node.type === 'CallExpression' && node.callee.type === 'Identifier'
    if (isCall && node.callee.type === 'Identifier' && locals.includes(node.callee.name)) {
      calls.push(node)
    }
    return undefined
  })
  const odd = calls.filter(call => !handler || !isUsual(workspace, source, call, handler))
  const uses = locals.reduce((count, local) => count + countUses(source, local), 0)
  const isImported = importsIn(source).some(({ specifiers }) =>
    specifiers.some(({ local }) => locals.includes(local.name)),
  )
  // What is required is left to a person: there may be no import to put auth into.
  if (!handler || !isImported || odd.length > 0 || uses > calls.length) {
    const [first] = odd
    remarks.push({
      where: first ? placeIn(source, first) : source.file,
      what: 'getServerSession is gone: call auth() from the file with your options instead.',
    })
    return source.text
  }
  const changed = new MagicString(source.text)
  const isOwn = source.file === handler.file
  const name = !isOwn && declares(source, handler.auth) ? 'siteAuth' : handler.auth
  for (const call of calls) {
    changed.overwrite(call.start, call.end, `${name}(${argumentsFor(source, call)})`)
  }
  const options = isOwn ? [] : optionsIn(calls)
  const imported = name === handler.auth ? name : `${handler.auth} as ${name}`
  const edits: ImportEdit[] = []
  let hasAuth = isOwn
  for (const declaration of importsIn(source)) {
    const names = declaration.specifiers.map(({ local }) => local.name)
    const isHandlers =
      !hasAuth &&
      options.some(each => names.includes(each)) &&
      workspace.resolve(source.file, declaration.source.value) === handler.file
    const isLibrary = names.some(each => locals.includes(each))
    // The options were there only to be handed over.
    const unused = options.filter(
      each => names.includes(each) && countUses(source, each) <= countHanded(calls, each),
    )
    if (!isHandlers && !isLibrary && unused.length === 0) continue
    const remove = isLibrary ? [...locals, ...unused] : unused
    edits.push({ declaration, remove, add: isHandlers ? [imported] : [] })
    hasAuth ||= isHandlers
  }
  const module = relativeModule(source.file, handler.file)
  const statements = hasAuth ? [] : [importText(source, `{ ${imported} }`, module)]
  editImports(changed, source, { edits, statements })
  return changed.toString()
}

/** Whether a call asks for the session by the options that `auth` is made of. */
function isUsual(
  workspace: Workspace,
  source: Source,
  { arguments: given }: CallExpression,
  handler: MovedHandler,
): boolean {
  if (given.length === 0) return true
  if (given.length !== 1 && given.length !== 3) return false
  if (given.some(each => each.type === 'SpreadElement')) return false
  const last = given.at(-1)
  if (last?.type !== 'Identifier') return false
  const imported = source.imports.get(last.name)
  if (!imported) return source.file === handler.file && last.name === handler.options
  const isFromThere = workspace.resolve(source.file, imported.module) === handler.file
  return isFromThere || imported.name === handler.options
}

/** What `auth` gets for what getServerSession got. */
function argumentsFor({ text, file }: Source, { arguments: given }: CallExpression): string {
  if (given.length < 3) return ''
  const [req = '', res = ''] = given.map(each => text.slice(each.start, each.end))
  const [, context] = /^(\w+)\.req$/.exec(req) ?? []
  if (context && res === `${context}.res`) return context
  if (/(?:^|\/)pages\/api\//.test(file)) return `${req}, ${res}`
  return req === 'req' && res === 'res' ? '{ req, res }' : `{ req: ${req}, res: ${res} }`
}

function optionsIn(calls: readonly CallExpression[]): readonly string[] {
  const names = calls.flatMap(call => {
    const last = call.arguments.at(-1)
    return last?.type === 'Identifier' ? [last.name] : []
  })
  return [...new Set(names)]
}

function countHanded(calls: readonly CallExpression[], name: string): number {
  return calls.filter(call => {
    const last = call.arguments.at(-1)
    return last?.type === 'Identifier' && last.name === name
  }).length
}

/** v4 found the secret for getToken by itself. */
function addSecrets(source: Source): string {
  const local = [...source.imports].find(
    ([, { module, name }]) => module === 'next-auth/jwt' && name === 'getToken',
  )?.[0]
  if (!local) return source.text
  const changed = new MagicString(source.text)
  visit(source.program, node => {
    if (node.type !== 'CallExpression' || nameOf(node.callee) !== local) return undefined
    const [params] = node.arguments
    if (params?.type !== 'ObjectExpression' || hasKey(params, 'secret')) return undefined
    const last = params.properties.at(-1)
    const secret = 'secret: process.env.AUTH_SECRET ?? process.env.NEXTAUTH_SECRET'
    if (last) changed.appendLeft(last.end, `, ${secret}`)
    return undefined
  })
  return changed.toString()
}

function hasKey(object: Extract<Node, { type: 'ObjectExpression' }>, name: string): boolean {
  return object.properties.some(each => each.type === 'SpreadElement' || nameOf(each.key) === name)
}
