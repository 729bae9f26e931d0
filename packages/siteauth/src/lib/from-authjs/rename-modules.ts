import MagicString from 'magic-string'
import type { Node } from 'oxc-parser'
import { type Source, visit } from '../code/source.ts'
import { newModuleName } from './module-names.ts'

/** A file with the modules of Auth.js under their new names, however they are imported. */
export function renameModules(source: Source): string {
  const changed = new MagicString(source.text)
  visit(source.program, node => {
    const literal = moduleOf(node)
    const renamed = literal && newModuleName(literal.value)
    if (renamed) changed.overwrite(literal.start + 1, literal.end - 1, renamed)
    return undefined
  })
  return changed.toString()
}

interface Literal {
  readonly value: string
  readonly start: number
  readonly end: number
}

/** The literal that names a module: in imports and exports of any kind, and in mocks of tests. */
function moduleOf(node: Node): Literal | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return literalOf(node.source)
    case 'TSModuleDeclaration':
      return literalOf(node.id)
    case 'TSExternalModuleReference':
      return literalOf(node.expression)
    case 'CallExpression':
      return loads(node.callee) ? literalOf(node.arguments[0]) : null
    default:
      return null
  }
}

/** Whether a function takes the name of a module: `require`, `require.resolve`, `vi.mock`. */
function loads(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'require'
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false
  return ['require', 'jest', 'vi'].includes(callee.object.name)
}

function literalOf(node: Node | null | undefined): Literal | null {
  if (node?.type !== 'Literal' || typeof node.value !== 'string') return null
  return { value: node.value, start: node.start, end: node.end }
}
