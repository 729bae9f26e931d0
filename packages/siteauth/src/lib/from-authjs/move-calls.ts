import MagicString from 'magic-string'
import type { CallExpression, Node } from 'oxc-parser'
import { nameOf, type Source, visit } from '../code/source.ts'
import { addImport, countUses, declares, editImport, importsIn } from './edit-imports.ts'
import { type MovedHandler, placeIn } from './move-handler.ts'
import { type Remark, relativeModule, type Workspace } from './workspace.ts'

const OLD_NAMES = ['getServerSession', 'unstable_getServerSession']
const OLD_TYPES: Readonly<Record<string, string>> = {
  NextAuthOptions: 'NextAuthConfig',
  AuthOptions: 'NextAuthConfig',
}

/** Calls and types of v4, in every file. */
export function moveCalls(
  workspace: Workspace,
  handler: MovedHandler | null,
  remarks: Remark[],
): void {
  for (const file of workspace.files()) {
    const typed = workspace.source(file)
    if (typed) workspace.write(file, renameTypes(typed))
    const source = workspace.source(file)
    if (source) workspace.write(file, replaceCalls(workspace, source, handler, remarks))
    const tokens = workspace.source(file)
    if (tokens) workspace.write(file, addSecrets(tokens))
  }
}

function renameTypes(source: Source): string {
  const changed = new MagicString(source.text)
  for (const declaration of importsIn(source)) {
    if (declaration.source.value !== 'next-auth') continue
    for (const each of declaration.specifiers) {
      if (each.type !== 'ImportSpecifier') continue
      const old = nameOf(each.imported) ?? ''
      const renamed = OLD_TYPES[old]
      if (!renamed) continue
      changed.overwrite(each.imported.start, each.imported.end, renamed)
      if (each.local.name !== old) continue
      visit(source.program, node => {
        if (node.type === 'ImportDeclaration') return false
        if (node.type === 'Identifier' && node.name === old) {
          changed.overwrite(node.start, node.end, renamed)
        }
        return undefined
      })
    }
  }
  return changed.toString()
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
  const odd = calls.filter(call => argumentsFor(source, call) === null)
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
  const name = !isOwn && declares(source, 'auth') ? 'siteAuth' : 'auth'
  for (const call of calls) {
    changed.overwrite(call.start, call.end, `${name}(${argumentsFor(source, call)})`)
  }
  const options = optionsIn(calls)
  const imported = name === 'auth' ? 'auth' : `auth as ${name}`
  let hasAuth = isOwn
  for (const declaration of importsIn(source)) {
    const names = declaration.specifiers.map(({ local }) => local.name)
    const holdsOptions = options.some(each => names.includes(each))
    const isHandlers =
      workspace.resolve(source.file, declaration.source.value) === handler.file && holdsOptions
    const isLibrary = /^next-auth(?:\/next)?$/.test(declaration.source.value)
    if (!isHandlers && !isLibrary) continue
    // The options were there only to be handed over.
    const unused = options.filter(
      each => names.includes(each) && countUses(source, each) <= calls.length,
    )
    const removed = isLibrary ? locals : unused
    if (isLibrary && !names.some(each => locals.includes(each))) continue
    editImport(changed, source, declaration, {
      remove: removed,
      add: isHandlers ? [imported] : [],
    })
    hasAuth ||= isHandlers
  }
  if (!hasAuth) {
    addImport(changed, source, `{ ${imported} }`, relativeModule(source.file, handler.file))
  }
  return changed.toString()
}

/** What `auth` gets for what getServerSession got; null if that cannot be told. */
function argumentsFor({ text }: Source, call: CallExpression): string | null {
  const given = call.arguments
  if (given.some(each => each.type === 'SpreadElement')) return null
  if (given.length <= 1) return ''
  if (given.length !== 3) return null
  const [req, res] = given.map(each => text.slice(each.start, each.end))
  const [, context] = /^(\w+)\.req$/.exec(req ?? '') ?? []
  return context && res === `${context}.res` ? context : `${req}, ${res}`
}

function optionsIn(calls: readonly CallExpression[]): readonly string[] {
  const names = calls.flatMap(call => {
    const last = call.arguments.at(-1)
    return last?.type === 'Identifier' ? [last.name] : []
  })
  return [...new Set(names)]
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
