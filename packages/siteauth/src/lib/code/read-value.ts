import type { Node } from 'oxc-parser'
import { calculate, readLogical } from './operators.ts'
import { readName } from './read-name.ts'
import { Callable, type Meanings, OTHERS, type Reading, someFunction, UNKNOWN } from './reading.ts'
import { nameOf, type Source } from './source.ts'
import type { Sources } from './sources.ts'

/** Reads a value from code without running it, as far as that goes. */
export function readValue(
  node: Node,
  source: Source,
  sources: Sources,
  meanings: Meanings,
): unknown {
  const reading: Reading = {
    sources,
    meanings,
    seen: new Set(),
    read: (each, within) => (each ? readNode(each, within, reading) : UNKNOWN),
  }
  return reading.read(node, source)
}

function readNode<Type extends Node['type']>(
  node: NodeOf<Type>,
  within: Source,
  reading: Reading,
): unknown {
  const reader: Reader<Type> | undefined = READERS[node.type as Type]
  return reader ? reader(node, within, reading) : UNKNOWN
}

type NodeOf<Type extends Node['type']> = Extract<Node, { readonly type: Type }>

type Reader<Type extends Node['type']> = (
  node: NodeOf<Type>,
  within: Source,
  reading: Reading,
) => unknown

function readInner(
  { expression }: { readonly expression: Node },
  within: Source,
  { read }: Reading,
): unknown {
  return read(expression, within)
}

const readFunction = () => someFunction

/** How each kind of node is read. The value of others cannot be known. */
const READERS: { readonly [Type in Node['type']]?: Reader<Type> } = {
  Literal: node => ('regex' in node || 'bigint' in node ? UNKNOWN : node.value),
  TemplateLiteral: readTemplate,
  ObjectExpression: readObject,
  ArrayExpression: readArray,
  TSAsExpression: readInner,
  TSSatisfiesExpression: readInner,
  TSNonNullExpression: readInner,
  ParenthesizedExpression: readInner,
  ChainExpression: readInner,
  ConditionalExpression(node, within, { read }) {
    const test = read(node.test, within)
    return test === UNKNOWN ? UNKNOWN : read(test ? node.consequent : node.alternate, within)
  },
  LogicalExpression: ({ operator, left, right }, within, { read }) =>
    readLogical(operator, read(left, within), () => read(right, within)),
  UnaryExpression({ operator, argument }, within, { read }) {
    const value = read(argument, within)
    if (value === UNKNOWN) return UNKNOWN
    if (operator === '!') return !value
    return operator === '-' && typeof value === 'number' ? -value : UNKNOWN
  },
  BinaryExpression: ({ operator, left, right }, within, { read }) =>
    calculate(operator, read(left, within), read(right, within)),
  MemberExpression: readMember,
  Identifier: ({ name }, within, reading) => readName(name, within, reading),
  CallExpression(node, within, { read }) {
    const callee = read(node.callee, within)
    if (!(callee instanceof Callable)) return UNKNOWN
    return callee.call(node.arguments.map(argument => read(argument, within)))
  },
  ArrowFunctionExpression: readFunction,
  FunctionExpression: readFunction,
  FunctionDeclaration: readFunction,
}

function readTemplate(
  { quasis, expressions }: NodeOf<'TemplateLiteral'>,
  within: Source,
  { read }: Reading,
): unknown {
  const values = expressions.map(each => read(each, within))
  if (values.includes(UNKNOWN)) return UNKNOWN
  return quasis.map(({ value }, index) => `${value.cooked ?? ''}${values[index] ?? ''}`).join('')
}

function readArray(
  { elements }: NodeOf<'ArrayExpression'>,
  within: Source,
  { read }: Reading,
): unknown {
  return elements.flatMap(element => {
    if (element?.type !== 'SpreadElement') return [read(element, within)]
    const spread = read(element.argument, within)
    return Array.isArray(spread) ? spread : [UNKNOWN]
  })
}

function readObject(
  { properties }: NodeOf<'ObjectExpression'>,
  within: Source,
  { read }: Reading,
): unknown {
  const object: Record<string, unknown> = {}
  for (const property of properties) {
    if (property.type === 'SpreadElement') {
      const spread = read(property.argument, within)
      if (typeof spread === 'object' && spread !== null) Object.assign(object, spread)
      else if (spread === UNKNOWN) Object.assign(object, { [OTHERS]: UNKNOWN })
      continue
    }
    const name = property.computed ? read(property.key, within) : nameOf(property.key)
    // A getter or a method is a function; what it answers is not known.
    const value = property.kind === 'init' ? read(property.value, within) : UNKNOWN
    if (typeof name === 'string' && name !== '__proto__') object[name] = value
  }
  return object
}

function readMember(
  { object, property, computed }: NodeOf<'MemberExpression'>,
  within: Source,
  { read, meanings }: Reading,
): unknown {
  const name = computed ? read(property, within) : nameOf(property)
  if (typeof name !== 'string' && typeof name !== 'number') return UNKNOWN
  if (isProcessEnv(object)) return meanings.variable(String(name))
  const owner = read(object, within)
  if (typeof owner !== 'object' || owner === null || !Object.hasOwn(owner, name)) return UNKNOWN
  return Reflect.get(owner, name)
}

function isProcessEnv(node: Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'process' &&
    nameOf(node.property) === 'env'
  )
}
