import type { Expression, Node, ObjectExpression } from 'oxc-parser'
import { nameOf, type Source } from './source.ts'
import type { Sources } from './sources.ts'

/** What cannot be known without running the program. */
export const UNKNOWN: unique symbol = Symbol('unknown')

/** The key that an object has if it may have any other: part of it cannot be known. */
export const OTHERS: unique symbol = Symbol('others')

/** The value of a variable of the environment: undefined if it is not set, {@link UNKNOWN} if it is not to be used. */
export type ReadVariable = (name: string) => string | typeof UNKNOWN | undefined

/** What names of packages stand for, where we know it. */
export interface Known {
  readonly variable: ReadVariable
  /** What a name imported from a package stands for, or {@link UNKNOWN}. */
  imported(module: string, name: string): unknown
}

/** A function that can be called while reading: it gets what is known of its arguments. */
export class Callable {
  readonly call: (args: readonly unknown[]) => unknown

  constructor(call: (args: readonly unknown[]) => unknown) {
    this.call = call
  }
}

/** What stands for any function of the application: it is there, and is never called. */
export const someFunction = (): void => {}

/** Reads a value from code without running it, as far as that goes. */
export function readValue(node: Node, source: Source, sources: Sources, known: Known): unknown {
  const seen = new Set<Node>()
  return read(node, source)

  function read(each: Node | null | undefined, within: Source): unknown {
    if (!each) return UNKNOWN
    switch (each.type) {
      case 'Literal':
        return 'regex' in each || 'bigint' in each ? UNKNOWN : each.value
      case 'TemplateLiteral':
        return readTemplate(each.quasis, each.expressions, within)
      case 'ObjectExpression':
        return readObject(each, within)
      case 'ArrayExpression':
        return each.elements.flatMap(element => {
          if (element?.type !== 'SpreadElement') return [read(element, within)]
          const spread = read(element.argument, within)
          return Array.isArray(spread) ? spread : [UNKNOWN]
        })
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        return read(each.expression, within)
      case 'ConditionalExpression': {
        const test = read(each.test, within)
        return test === UNKNOWN ? UNKNOWN : read(test ? each.consequent : each.alternate, within)
      }
      case 'LogicalExpression':
        return readLogical(each.operator, read(each.left, within), () => read(each.right, within))
      case 'UnaryExpression': {
        const value = read(each.argument, within)
        if (value === UNKNOWN) return UNKNOWN
        if (each.operator === '!') return !value
        return each.operator === '-' && typeof value === 'number' ? -value : UNKNOWN
      }
      case 'BinaryExpression':
        return calculate(each.operator, read(each.left, within), read(each.right, within))
      case 'MemberExpression':
        return readMember(each.object, each.computed ? null : each.property, each, within)
      case 'Identifier':
        return readName(each.name, within)
      case 'CallExpression': {
        const callee = read(each.callee, within)
        if (!(callee instanceof Callable)) return UNKNOWN
        return callee.call(each.arguments.map(argument => read(argument, within)))
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return someFunction
      default:
        return UNKNOWN
    }
  }

  function readTemplate(
    quasis: readonly { readonly value: { readonly cooked: string | null } }[],
    expressions: readonly Expression[],
    within: Source,
  ): unknown {
    const values = expressions.map(each => read(each, within))
    if (values.includes(UNKNOWN)) return UNKNOWN
    return quasis.map(({ value }, index) => `${value.cooked ?? ''}${values[index] ?? ''}`).join('')
  }

  function readObject({ properties }: ObjectExpression, within: Source): unknown {
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

  function readMember(object: Node, key: Node | null, member: Node, within: Source): unknown {
    const computed = 'property' in member ? read(member.property as Node, within) : UNKNOWN
    const name = key ? nameOf(key) : computed
    if (typeof name !== 'string' && typeof name !== 'number') return UNKNOWN
    if (isProcessEnv(object)) return known.variable(String(name))
    const owner = read(object, within)
    if (typeof owner !== 'object' || owner === null || !Object.hasOwn(owner, name)) return UNKNOWN
    return Reflect.get(owner, name)
  }

  function readName(name: string, within: Source): unknown {
    if (name === 'undefined') return undefined
    const imported = within.imports.get(name)
    if (imported) {
      const other = sources.resolve(within.file, imported.module)
      if (other) return readExport(imported.name, other)
      return known.imported(imported.module, imported.name)
    }
    return readDeclared(name, within)
  }

  function readDeclared(name: string, within: Source): unknown {
    for (const statement of within.program.body) {
      const declaration =
        statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === name) {
        return someFunction
      }
      if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue
      const found = declaration.declarations.find(
        ({ id }) => id.type === 'Identifier' && id.name === name,
      )
      if (found) return once(found, () => read(found.init, within))
    }
    return UNKNOWN
  }

  function readExport(name: string, within: Source): unknown {
    for (const statement of within.program.body) {
      if (statement.type === 'ExportDefaultDeclaration' && name === 'default') {
        return once(statement, () => read(statement.declaration, within))
      }
      if (statement.type === 'ExpressionStatement') {
        const { expression } = statement
        if (expression.type !== 'AssignmentExpression') continue
        const target = within.text.slice(expression.left.start, expression.left.end)
        if (target === 'module.exports' || target === `exports.${name}`) {
          const value = once(statement, () => read(expression.right, within))
          if (target !== 'module.exports' || name === 'default') return value
          return typeof value === 'object' && value !== null
            ? (Reflect.get(value, name) ?? UNKNOWN)
            : UNKNOWN
        }
      }
    }
    return readDeclared(name, within)
  }

  // Modules may import each other, and then a name would never come to an end.
  function once(declaration: Node, act: () => unknown): unknown {
    if (seen.has(declaration)) return UNKNOWN
    seen.add(declaration)
    const value = act()
    seen.delete(declaration)
    return value
  }
}

function isProcessEnv(node: Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'process' &&
    nameOf(node.property) === 'env'
  )
}

function readLogical(operator: string, left: unknown, right: () => unknown): unknown {
  if (left === UNKNOWN) return UNKNOWN
  if (operator === '??') return left ?? right()
  return operator === '||' ? left || right() : left && right()
}

function calculate(operator: string, left: unknown, right: unknown): unknown {
  if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN
  if (operator === '===') return left === right
  if (operator === '!==') return left !== right
  if (operator === '+' && typeof left === 'string') return left + String(right)
  if (typeof left !== 'number' || typeof right !== 'number') return UNKNOWN
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  return operator === '*' ? left * right : UNKNOWN
}
