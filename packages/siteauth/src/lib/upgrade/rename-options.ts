import type { Node } from 'oxc-parser'
import { nameOf, type Source, visit } from '../code/source.ts'
import type { Workspace } from '../code/workspace.ts'
import { renameKey, renameLiterals } from './change-calls.ts'
import type { FileEdit } from './file-edit.ts'
import type { NameTable, RenamedOption } from './name-table.ts'
import { keyOf, type Values } from './values.ts'

/** An option that is called otherwise now, where it is written. */
interface FoundOption {
  readonly property: Extract<Node, { type: 'Property' }>
  readonly row: RenamedOption
}

/** The options of a project that are called otherwise, by their files. */
export type FoundOptions = ReadonlyMap<Source, readonly FoundOption[]>

/** Follows what is passed to our functions, and what has one of our types, also through other files. */
export function findOptions(workspace: Workspace, table: NameTable, values: Values): FoundOptions {
  const found = new Map<Source, FoundOption[]>()
  const seen = new Set<string>()

  function walk(node: Node | null | undefined, source: Source, at: Place): void {
    if (!node) return
    const key = `${source.file}:${node.start}:${node.type}:${at.of}:${at.path.join('.')}`
    // Modules may refer to each other in a circle.
    if (seen.has(key)) return
    seen.add(key)
    switch (node.type) {
      case 'ObjectExpression':
        for (const each of node.properties) {
          if (each.type === 'SpreadElement') walk(each.argument, source, at)
          else walkProperty(each, source, at)
        }
        return
      case 'ArrayExpression':
        for (const each of node.elements) walk(each, source, below(at, '*'))
        return
      case 'Identifier': {
        const definition = values.definitionOf(node, source)
        if (definition) walk(definition.node, definition.source, at)
        return
      }
      default:
        for (const each of resultsOf(node)) walk(each, source, at)
    }
  }

  function walkProperty(property: Extract<Node, { type: 'Property' }>, source: Source, at: Place) {
    const name = property.computed ? '*' : (nameOf(property.key) ?? '*')
    const inner = below(at, name)
    const row = property.computed ? undefined : rowAt(table.options, inner)
    if (row) found.set(source, [...(found.get(source) ?? []), { property, row }])
    walk(property.value, source, inner)
  }

  for (const file of workspace.files()) {
    const source = workspace.source(file)
    if (source) walkRoots(source, table, values, walk)
  }
  return found
}

type Walk = (node: Node | null | undefined, source: Source, at: Place) => void

/** The objects that are options: arguments of our functions, and what has one of our types. */
function walkRoots(source: Source, table: NameTable, values: Values, walk: Walk): void {
  for (const node of nodesOf(source)) {
    if (node.type === 'CallExpression') {
      const called = values.valueOf(node.callee, source)
      const root = called && table.optionsOf[keyOf(called)]
      if (root) walk(node.arguments[root.argument], source, { of: root.of, path: [] })
    }
    const typed = typedNode(node)
    if (!typed) continue
    const value = values.typed(typed.type, source)
    if (value) walk(typed.value, source, { of: value.of, path: value.path })
  }
}

function nodesOf(source: Source): readonly Node[] {
  const nodes: Node[] = []
  visit(source.program, node => {
    nodes.push(node)
    return undefined
  })
  return nodes
}

/** An expression that is said to have a type. */
function typedNode(node: Node): { readonly value: Node; readonly type: Node } | null {
  if (node.type === 'VariableDeclarator' && node.init && 'typeAnnotation' in node.id) {
    const annotation = node.id.typeAnnotation
    return annotation ? { value: node.init, type: annotation.typeAnnotation } : null
  }
  if (node.type === 'TSSatisfiesExpression' || node.type === 'TSAsExpression') {
    return { value: node.expression, type: node.typeAnnotation }
  }
  const isFunction = node.type === 'FunctionDeclaration' || node.type === 'ArrowFunctionExpression'
  return isFunction && node.returnType
    ? { value: node, type: node.returnType.typeAnnotation }
    : null
}

interface Place {
  readonly of: string
  readonly path: readonly string[]
}

function below({ of, path }: Place, name: string): Place {
  return { of, path: [...path, name] }
}

function rowAt(rows: readonly RenamedOption[], { of, path }: Place): RenamedOption | undefined {
  return rows.find(row => {
    const wanted = row.path.split('.')
    if (row.of !== of || wanted.length !== path.length) return false
    return wanted.every((name, index) => name === '*' || name === path[index])
  })
}

/** What an expression can result in, or what a function returns. */
function resultsOf(node: Node): readonly (Node | null)[] {
  switch (node.type) {
    case 'ConditionalExpression':
      return [node.consequent, node.alternate]
    case 'LogicalExpression':
      return [node.left, node.right]
    case 'AwaitExpression':
      return [node.argument]
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return [node.expression]
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return node.body
        ? node.body.type === 'BlockStatement'
          ? returnsIn(node.body)
          : [node.body]
        : []
    default:
      return []
  }
}

function returnsIn(body: Node): readonly (Node | null)[] {
  const returned: (Node | null)[] = []
  visit(body, node => {
    if (node.type === 'ReturnStatement') returned.push(node.argument)
    return /Function/.test(node.type) ? false : undefined
  })
  return returned
}

/** Renames the options that were found in a file. */
export function renameFoundOptions(file: FileEdit, found: FoundOptions): void {
  for (const { property, row } of found.get(file.source) ?? []) {
    if (row.to !== undefined) renameKey(file, property, row.to)
    if (!row.values) continue
    renameLiterals(file, property.value, row.values)
    const isRead = /Literal|Conditional|TSAs/.test(property.value.type)
    if (!isRead) {
      const names = Object.entries(row.values).map(([old, name]) => `${old} is ${name} now`)
      file.remark(property, `${row.path}: ${names.join(', ')}.`)
    }
  }
}
