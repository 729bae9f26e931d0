import type { CallExpression, Node, ObjectExpression } from 'oxc-parser'
import { nameOf } from '../code/source.ts'
import { changeSignIn } from './change-sign-in.ts'
import type { FileEdit } from './file-edit.ts'
import type { CallChange, NameTable } from './name-table.ts'
import { spread } from './rebuild.ts'
import { rowsFor } from './rename-names.ts'
import type { Values } from './values.ts'

/** Changes what is passed to calls of our values, and what is taken from their results. */
export function changeCalls(file: FileEdit, table: NameTable, values: Values): void {
  for (const node of file.nodes()) {
    if (node.type !== 'CallExpression') continue
    const value = values.valueOf(node.callee, file.source)
    if (!value) continue
    for (const row of rowsFor(table, value)) {
      for (const each of node.arguments) {
        renameOptions(file, each, row)
        if (row.change?.kind === 'spread') renameOptionsWithin(file, each, row)
      }
      if (row.change) applyChange(file, node, row.change, values)
      if (row.remark && isUsedAsUrl(file, node)) file.remark(node, row.remark)
    }
  }
}

interface OptionNames {
  readonly options?: Readonly<Record<string, string>> | undefined
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
}

/** Renames the members of an object that is passed to a call. */
export function renameOptions(file: FileEdit, given: Node, { options, values }: OptionNames): void {
  for (const each of objectOf(file, given)?.properties ?? []) {
    if (each.type !== 'Property' || each.computed) continue
    const old = nameOf(each.key) ?? ''
    const renamed = options && Object.hasOwn(options, old) ? options[old] : null
    if (renamed) renameKey(file, each, renamed)
    const renamedValues = values && Object.hasOwn(values, old) ? values[old] : null
    if (renamedValues) renameLiterals(file, each.value, renamedValues)
  }
}

/** The object that is passed; also one that has a name for this call alone. */
function objectOf({ scopes }: FileEdit, given: Node): ObjectExpression | null {
  if (given.type === 'ObjectExpression') return given
  const binding = given.type === 'Identifier' ? scopes.bindingOf(given) : null
  if (binding?.references.length !== 1 || binding.declaration.type !== 'VariableDeclarator')
    return null
  const { init, id } = binding.declaration
  return init?.type === 'ObjectExpression' && id === binding.identifier ? init : null
}

/** The same for objects within an object that becomes arguments. */
export function renameOptionsWithin(file: FileEdit, given: Node, names: OptionNames): void {
  if (given.type !== 'ObjectExpression') return
  for (const each of given.properties) {
    if (each.type === 'Property') renameOptions(file, each.value, names)
  }
}

/** `{ old: 1 }` → `{ name: 1 }`, `{ old }` → `{ name: old }`. */
export function renameKey(
  { changed }: FileEdit,
  property: Extract<Node, { type: 'Property' }>,
  name: string,
): void {
  if (property.shorthand) changed.appendLeft(property.start, `${name}: `)
  else changed.overwrite(property.key.start, property.key.end, name)
}

/** Renames the texts that an expression can be. */
export function renameLiterals(
  { changed, source }: FileEdit,
  node: Node,
  names: Readonly<Record<string, string>>,
): void {
  if (node.type === 'ConditionalExpression') {
    for (const each of [node.consequent, node.alternate]) {
      renameLiterals({ changed, source } as FileEdit, each, names)
    }
  }
  if (node.type === 'TSAsExpression') {
    renameLiterals({ changed, source } as FileEdit, node.expression, names)
  }
  if (node.type !== 'Literal' || typeof node.value !== 'string') return
  const renamed = Object.hasOwn(names, node.value) ? names[node.value] : undefined
  // Between its quotes.
  if (renamed !== undefined) changed.overwrite(node.start + 1, node.end - 1, renamed)
}

/** Whether what a call resolves with is passed on, as a URL would be to a redirect. */
function isUsedAsUrl(file: FileEdit, call: Node): boolean {
  const awaited = file.parentOf(call)
  if (awaited?.type !== 'AwaitExpression') return false
  const parent = file.parentOf(awaited)
  return parent?.type === 'CallExpression' && parent.callee !== awaited
}

function applyChange(
  file: FileEdit,
  call: CallExpression,
  change: CallChange,
  values: Values,
): void {
  const { changed } = file
  switch (change.kind) {
    case 'value':
      changed.remove(call.callee.end, call.end)
      return
    case 'value unless options': {
      const { callee } = call
      if (call.arguments.length === 0) changed.remove(callee.end, call.end)
      else if (callee.type !== 'MemberExpression') {
        file.remark(call, `With options, it is called ${change.otherwise}.`)
      } else changed.overwrite(callee.property.start, callee.property.end, change.otherwise)
      return
    }
    case 'add option':
      addOption(file, call, change.name, change.value)
      return
    case 'spread':
      spread(file, call, change.index, change.order)
      return
    case 'sign-in request':
      changeSignIn(file, call, change.index)
      return
    case 'result':
      changeResult(file, call, change.member, values)
      return
  }
}

function addOption({ changed }: FileEdit, call: CallExpression, name: string, value: string): void {
  const [first] = call.arguments
  const text = `${name}: ${value}`
  if (!first) changed.appendLeft(call.end - 1, `{ ${text} }`)
  if (first?.type !== 'ObjectExpression') return
  if (first.properties.some(each => each.type === 'SpreadElement' || nameOf(each.key) === name)) {
    return
  }
  const [property] = first.properties
  if (property) changed.appendRight(property.start, `${text}, `)
  else changed.overwrite(first.start, first.end, `{ ${text} }`)
}

const COOKIES = 'setCookies'
const NO_COOKIES =
  'It resolves with its value alone now: auth.applyTo(request, response) or auth.takeSetCookies(request) has the cookies.'

/** `const { url, setCookies } = await auth.signIn(…)` → `const url = await …`, and the cookies from the instance. */
function changeResult(
  file: FileEdit,
  call: CallExpression,
  member: string | null,
  values: Values,
): void {
  const awaited = file.parentOf(call)
  if (awaited?.type !== 'AwaitExpression') {
    const isChained = awaited?.type === 'MemberExpression' && nameOf(awaited.property) === 'then'
    if (isChained) file.remark(call, NO_COOKIES)
    return
  }
  const outer = file.parentOf(awaited)
  const used = outer?.type === 'ParenthesizedExpression' ? file.parentOf(outer) : outer
  if (used?.type === 'MemberExpression' && outer?.type === 'ParenthesizedExpression') {
    const name = nameOf(used.property)
    if (name === COOKIES) file.remark(call, NO_COOKIES)
    else if (name !== null && name === member) file.changed.remove(outer.end, used.end)
    return
  }
  if (outer?.type !== 'VariableDeclarator') return
  if (outer.id.type === 'Identifier') {
    const binding = file.scopes.bindings.find(each => each.identifier === outer.id)
    const isOld = binding?.references.some(each => {
      const use = file.parentOf(each)
      return use?.type === 'MemberExpression' && nameOf(use.property) === COOKIES
    })
    if (isOld) file.remark(call, NO_COOKIES)
    return
  }
  if (outer.id.type === 'ObjectPattern')
    takeApart(file, { call, declarator: outer, member }, values)
}

interface TakenApart {
  readonly call: CallExpression
  readonly declarator: Extract<Node, { type: 'VariableDeclarator' }>
  readonly member: string | null
}

function takeApart(file: FileEdit, { call, declarator, member }: TakenApart, values: Values): void {
  const { id: pattern, init } = declarator
  const statement = file.parentOf(declarator)
  if (pattern.type !== 'ObjectPattern' || statement?.type !== 'VariableDeclaration' || !init) return
  const names = pattern.properties.map(each => each.type === 'Property' && nameOf(each.key))
  const isOld = names.includes(COOKIES) || (member !== null && names.includes(member))
  if (!isOld) return
  const base = instanceOf(call, file, values)
  const [request] = call.arguments
  const isPlain =
    statement.declarations.length === 1 &&
    pattern.properties.every(
      each => each.type === 'Property' && !each.computed && each.value.type === 'Identifier',
    ) &&
    (member === null || names.every(name => name === COOKIES || name === member))
  if (!isPlain || !base || request?.type !== 'Identifier') {
    file.remark(call, NO_COOKIES)
    return
  }
  const localOf = (name: string) => {
    const property = pattern.properties.find(
      each => each.type === 'Property' && nameOf(each.key) === name,
    )
    return property?.type === 'Property' ? property.value : null
  }
  const cookies = localOf(COOKIES)
  const value = member === null ? null : localOf(member)
  const others = pattern.properties.length - (cookies ? 1 : 0)
  if (value) file.changed.overwrite(pattern.start, pattern.end, file.textOf(value))
  else if (others === 0) file.changed.remove(statement.start, init.start)
  else
    file.removeItems(
      pattern.properties,
      each => each.type === 'Property' && nameOf(each.key) === COOKIES,
    )
  if (!cookies) return
  const { text } = file.source
  const lineStart = text.lastIndexOf('\n', statement.start - 1) + 1
  const [indent = ''] = /^[ \t]*/.exec(text.slice(lineStart)) ?? []
  const end = text[statement.end - 1] === ';' ? ';' : ''
  const taken = `const ${file.textOf(cookies)} = ${base}.takeSetCookies(${file.textOf(request)})${end}`
  file.changed.appendLeft(statement.end, `\n${indent}${taken}`)
}

/** The text of the instance that a call is a member of: `auth` of `auth.passwords.change()`. */
function instanceOf(call: CallExpression, file: FileEdit, values: Values): string | null {
  let node: Node = call.callee
  while (node.type === 'MemberExpression') {
    node = node.object
    const value = values.valueOf(node, file.source)
    if (value && value.path.length === 0) return file.textOf(node)
  }
  return null
}
