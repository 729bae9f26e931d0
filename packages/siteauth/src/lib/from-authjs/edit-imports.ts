import type MagicString from 'magic-string'
import type { ImportDeclaration } from 'oxc-parser'
import { nameOf, type Source, visit } from '../code/source.ts'

/** What an import is to have no more, and what it is to have as well. */
export interface ImportEdit {
  /** Names in this file. */
  readonly remove?: readonly string[]
  readonly add?: readonly string[]
  readonly module?: string
}

/** Writes an import anew; it goes if nothing is left of it. */
export function editImport(
  changed: MagicString,
  { text }: Source,
  declaration: ImportDeclaration,
  { remove = [], add = [], module = declaration.source.value }: ImportEdit,
): void {
  const kept = declaration.specifiers.filter(({ local }) => !remove.includes(local.name))
  const named = kept
    .filter(each => each.type === 'ImportSpecifier')
    .map(each => text.slice(each.start, each.end))
  const others = kept
    .filter(each => each.type !== 'ImportSpecifier')
    .map(each => text.slice(each.start, each.end))
  const names = [...named, ...add.filter(name => !named.includes(name))]
  const parts = [...others, ...(names.length > 0 ? [`{ ${names.join(', ')} }`] : [])]
  if (parts.length === 0) {
    // With the line that it was on.
    const [rest = ''] = /^[ \t]*\r?\n/.exec(text.slice(declaration.end)) ?? []
    changed.remove(declaration.start, declaration.end + rest.length)
    return
  }
  const quote = text[declaration.source.start] ?? "'"
  const end = text.slice(declaration.start, declaration.end).endsWith(';') ? ';' : ''
  // A value cannot come from what imports types alone.
  const isOfTypes = declaration.importKind === 'type' && add.length === 0
  const keyword = isOfTypes ? 'import type' : 'import'
  changed.overwrite(
    declaration.start,
    declaration.end,
    `${keyword} ${parts.join(', ')} from ${quote}${module}${quote}${end}`,
  )
}

/** Adds an import behind the others, in their style. */
export function addImport(
  changed: MagicString,
  { program, text }: Source,
  what: string,
  module: string,
): void {
  const last = program.body.findLast(each => each.type === 'ImportDeclaration')
  const quote = last ? (text[last.source.start] ?? "'") : "'"
  const end = last && text.slice(last.start, last.end).endsWith(';') ? ';' : ''
  const statement = `import ${what} from ${quote}${module}${quote}${end}`
  if (last) changed.appendLeft(last.end, `\n${statement}`)
  else changed.prepend(`${statement}\n`)
}

/** The imports of a file. */
export function importsIn({ program }: Source): readonly ImportDeclaration[] {
  return program.body.filter(each => each.type === 'ImportDeclaration')
}

/** How often a name is used in a file, imports apart. */
export function countUses({ program }: Source, name: string): number {
  let count = 0
  visit(program, node => {
    if (node.type === 'ImportDeclaration') return false
    if (node.type === 'Identifier' && node.name === name) count++
    return undefined
  })
  return count
}

/** Whether a file declares a name at its top. */
export function declares({ program, imports }: Source, name: string): boolean {
  if (imports.has(name)) return true
  return program.body.some(statement => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration') {
      return declaration.id?.name === name
    }
    if (declaration?.type !== 'VariableDeclaration') return false
    return declaration.declarations.some(({ id }) => {
      if (id.type === 'Identifier') return id.name === name
      if (id.type !== 'ObjectPattern') return false
      return id.properties.some(each => each.type === 'Property' && nameOf(each.value) === name)
    })
  })
}
