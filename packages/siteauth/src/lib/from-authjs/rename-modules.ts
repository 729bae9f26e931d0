import MagicString from 'magic-string'
import type { Node } from 'oxc-parser'
import { type Source, visit } from '../code/source.ts'
import { newModuleName } from './module-names.ts'

/** A file with the modules of Auth.js under their new names, however they are imported. */
export function renameModules(source: Source): string {
  const changed = new MagicString(source.text)
  for (const { value, start, end } of allModulesIn(source)) {
    const renamed = newModuleName(value)
    if (renamed) changed.overwrite(start, end, renamed)
  }
  return changed.toString()
}

/** Where a file names modules, in its code and in comments that name types. */
export function allModulesIn(source: Source): readonly ModuleName[] {
  return [...modulesIn(source), ...modulesInComments(source)]
}

/** A text that names a module, without its quotes. */
export interface ModuleName {
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Where a file names modules in its code: in imports and exports of any kind, and in mocks of tests. */
export function modulesIn({ program }: Source): readonly ModuleName[] {
  const found: ModuleName[] = []
  visit(program, node => {
    const literal = moduleOf(node)
    if (literal) found.push(literal)
    return undefined
  })
  return found
}

// In JavaScript, comments import types; in declarations, they refer to them.
const IN_COMMENT = /(?<=\bimport\(\s*['"]|<reference\s+types=['"])[^'"\r\n]+(?=['"])/g

function modulesInComments({ text, comments }: Source): readonly ModuleName[] {
  return comments.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(IN_COMMENT)].map(({ 0: value, index }) => ({
      value,
      start: start + index,
      end: start + index + value.length,
    })),
  )
}

function moduleOf(node: Node): ModuleName | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return nameIn(node.source)
    case 'TSModuleDeclaration':
      return nameIn(node.id)
    case 'TSExternalModuleReference':
      return nameIn(node.expression)
    case 'CallExpression':
      return loads(node.callee) ? nameIn(node.arguments[0]) : null
    default:
      return null
  }
}

/** Whether a function takes the name of a module: `require`, `require.resolve`, `vi.mock`. */
function loads(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'require'
  if (callee.type !== 'MemberExpression') return false
  if (callee.object.type === 'MetaProperty') return true
  return (
    callee.object.type === 'Identifier' && ['require', 'jest', 'vi'].includes(callee.object.name)
  )
}

function nameIn(node: Node | null | undefined): ModuleName | null {
  if (node?.type === 'TemplateLiteral') {
    const [only, second] = node.quasis
    if (!only || second) return null
    return { value: only.value.raw, start: node.start + 1, end: node.end - 1 }
  }
  if (node?.type !== 'Literal' || typeof node.value !== 'string') return null
  return { value: node.value, start: node.start + 1, end: node.end - 1 }
}
