import type { Node, ObjectExpression } from 'oxc-parser'
import { nameOf } from '../code/source.ts'
import { renameLiterals } from './change-calls.ts'
import type { FileEdit } from './file-edit.ts'
import type { NameTable, RenamedCodes } from './name-table.ts'

/** Renames codes where they are compared, or look something up: `error.code === 'short'`, `TEXTS[error.code]`. */
export function renameCodes(file: FileEdit, { codes }: NameTable): void {
  const rows = codes.filter(({ within }) => within.test(file.source.text))
  if (rows.length === 0) return
  const seen = new Set<Node>()
  for (const node of file.nodes()) {
    for (const { operand, texts } of comparisonsIn(node, file)) {
      if (seen.has(texts)) continue
      const names = namesFor(rows, operand)
      if (names) {
        seen.add(texts)
        renameIn(file, texts, names)
      }
    }
  }
}

/** New names of codes; null for those that two kinds of errors have by different names. */
type Names = Readonly<Record<string, string | null>>

function namesFor(rows: readonly RenamedCodes[], operand: string): Names | null {
  const names: Record<string, string | null> = {}
  for (const row of rows.filter(each => each.operand === operand)) {
    for (const [old, name] of Object.entries(row.values)) {
      names[old] = Object.hasOwn(names, old) && names[old] !== name ? null : name
    }
  }
  return Object.keys(names).length > 0 ? names : null
}

interface Comparison {
  /** The name of what is compared, such as `code`. */
  readonly operand: string
  /** A text, a list of texts, or an object that has them as keys. */
  readonly texts: Node
}

function comparisonsIn(node: Node, file: FileEdit): readonly Comparison[] {
  switch (node.type) {
    case 'BinaryExpression': {
      if (!/^[=!]==?$/.test(node.operator)) return []
      return [...comparison(node.left, node.right), ...comparison(node.right, node.left)]
    }
    case 'SwitchStatement':
      return node.cases.flatMap(({ test }) => (test ? comparison(node.discriminant, test) : []))
    case 'CallExpression': {
      // `['short', 'long'].includes(code)`
      const isList =
        node.callee.type === 'MemberExpression' &&
        nameOf(node.callee.property) === 'includes' &&
        node.callee.object.type === 'ArrayExpression'
      const [first] = node.arguments
      if (!isList || node.callee.type !== 'MemberExpression' || !first) return []
      return comparison(first, node.callee.object)
    }
    case 'MemberExpression': {
      const table = node.computed ? tableOf(node.object, file) : null
      return table ? comparison(node.property, table) : []
    }
    default:
      return []
  }
}

function comparison(operand: Node, texts: Node): readonly Comparison[] {
  const name = operandName(operand)
  return name === null ? [] : [{ operand: name, texts }]
}

function operandName(node: Node): string | null {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'ChainExpression') return operandName(node.expression)
  if (node.type === 'MemberExpression' && !node.computed) return nameOf(node.property)
  return null
}

/** The object that texts are looked up in, if this file has it. */
function tableOf(node: Node, { scopes }: FileEdit): ObjectExpression | null {
  if (node.type === 'ObjectExpression') return node
  const declaration = node.type === 'Identifier' ? scopes.bindingOf(node)?.declaration : undefined
  let init: Node | null = declaration?.type === 'VariableDeclarator' ? declaration.init : null
  while (init?.type === 'TSAsExpression' || init?.type === 'TSSatisfiesExpression') {
    init = init.expression
  }
  return init?.type === 'ObjectExpression' ? init : null
}

function renameIn(file: FileEdit, texts: Node, names: Names): void {
  if (texts.type === 'ArrayExpression') {
    for (const each of texts.elements) if (each) renameIn(file, each, names)
    return
  }
  if (texts.type === 'ObjectExpression') {
    for (const each of texts.properties) {
      if (each.type !== 'Property' || each.computed) continue
      const old = nameOf(each.key) ?? ''
      const name = Object.hasOwn(names, old) ? names[old] : undefined
      if (name === null) file.remark(each, ambiguous(old))
      else if (name && !each.shorthand) {
        const isIdentifier = /^\w+$/.test(name)
        const text = each.key.type === 'Literal' || !isIdentifier ? `'${name}'` : name
        file.changed.overwrite(each.key.start, each.key.end, text)
      }
    }
    return
  }
  if (texts.type !== 'Literal' || typeof texts.value !== 'string') return
  const name = Object.hasOwn(names, texts.value) ? names[texts.value] : undefined
  if (name === null) file.remark(texts, ambiguous(texts.value))
  else if (name) renameLiterals(file, texts, { [texts.value]: name })
}

function ambiguous(code: string): string {
  return `The code '${code}' is called otherwise now, depending on the error: see node_modules/@siteauth/core/dist/errors.md.`
}
