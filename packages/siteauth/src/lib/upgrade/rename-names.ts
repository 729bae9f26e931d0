import type { ImportDeclaration, Node } from 'oxc-parser'
import type { Binding } from '../code/scopes.ts'
import { nameOf } from '../code/source.ts'
import type { FileEdit } from './file-edit.ts'
import type { NameTable, RenamedExports, RenamedMember } from './name-table.ts'
import { keyOf, type Value, type Values } from './values.ts'

/** Renames what a file imports from our entries. */
export function renameImports(file: FileEdit, { exports, removed, modules }: NameTable): void {
  for (const statement of file.source.program.body) {
    if (statement.type === 'ImportDeclaration') {
      const module = modules[statement.source.value] ?? statement.source.value
      for (const each of statement.specifiers) {
        if (each.type !== 'ImportSpecifier') continue
        const name = nameOf(each.imported) ?? ''
        const isType = statement.importKind === 'type' || each.importKind === 'type'
        const row = rowFor(exports, module, name)
        if (row)
          renameImport(file, { declaration: statement, specifier: each, row, module, isType })
        adviseOn(file, removed, module, each, name)
      }
    }
    if (statement.type === 'ExportNamedDeclaration' && statement.source) {
      const module = modules[statement.source.value] ?? statement.source.value
      for (const each of statement.specifiers) {
        const name = nameOf(each.local) ?? ''
        const row = rowFor(exports, module, name)
        if (row?.to && row.to !== module) {
          file.remark(each, `${name} is exported by ${row.to} now, as ${row.names[name]}.`)
        } else if (row) {
          // Others know it by its old name.
          const isAlone = each.local.start === each.exported.start
          const { start, end } = each.local
          file.changed.overwrite(start, end, `${row.names[name]}${isAlone ? ` as ${name}` : ''}`)
        }
        adviseOn(file, removed, module, each, name)
      }
    }
  }
}

function rowFor(rows: readonly RenamedExports[], module: string, name: string) {
  return rows.find(({ from, names }) => from.includes(module) && Object.hasOwn(names, name))
}

function adviseOn(
  file: FileEdit,
  removed: NameTable['removed'],
  module: string,
  node: Node,
  name: string,
): void {
  const row = removed.find(({ from, names }) => from.includes(module) && names.includes(name))
  if (row) file.remark(node, `${name}: ${row.advice}`)
}

interface Import {
  readonly declaration: ImportDeclaration
  readonly specifier: Extract<ImportDeclaration['specifiers'][0], { type: 'ImportSpecifier' }>
  readonly row: RenamedExports
  readonly module: string
  readonly isType: boolean
}

function renameImport(
  file: FileEdit,
  { declaration, specifier, row, module, isType }: Import,
): void {
  const old = nameOf(specifier.imported) ?? ''
  const name = row.names[old] ?? old
  const isMoved = row.to !== undefined && row.to !== module
  const binding = file.scopes.bindings.find(each => each.identifier === specifier.local)
  const local = binding && renameLocal(file, binding, old, name)
  const text = local === name ? name : `${name} as ${local}`
  if (isMoved) {
    file.removeImport(declaration, specifier.local.name)
    file.addImport(text, row.to ?? module, isType)
    return
  }
  const { start } = specifier.imported
  if (start !== specifier.end) file.changed.overwrite(start, specifier.end, text)
}

/** Gives a name of a file its new name everywhere, unless it has one of its own, or the new one is taken. Returns what it is called. */
function renameLocal(file: FileEdit, binding: Binding, old: string, name: string): string {
  const canBeRenamed =
    binding.name === old && (name === old || file.isFree(name)) && !file.isInTemplate(old)
  if (!canBeRenamed) return binding.name
  if (name !== old) for (const use of binding.references) file.replaceUse(use, name)
  return file.take(name)
}

/** Renames the members of our values, however they are reached. */
export function renameMembers(file: FileEdit, table: NameTable, values: Values): void {
  for (const binding of file.scopes.bindings) {
    // `const end = auth.endUser` is renamed where it is read.
    const { declaration, identifier } = binding
    if ('id' in declaration && declaration.id === identifier) continue
    const value = values.valueOfBinding(binding, file.source)
    const row = value && rowsFor(table, value).find(({ from, to }) => from !== to)
    if (value && row) renameBinding(file, binding, { value, row, values })
  }
  for (const node of file.nodes()) {
    if (node.type !== 'MemberExpression') continue
    const value = values.valueOf(node, file.source)
    const row = value && rowsFor(table, value).find(({ from, to }) => from !== to)
    if (value && row) renameMember(file, node, value, row)
  }
}

/** The rows that are about a value. */
export function rowsFor({ members }: NameTable, value: Value): readonly RenamedMember[] {
  const path = value.path.join('.')
  return path === '' ? [] : members.filter(row => row.from === path && row.of.includes(value.of))
}

/** `auth.endUser` → `auth.users.endSessions`. */
function renameMember(
  file: FileEdit,
  node: Extract<Node, { type: 'MemberExpression' }>,
  value: Value,
  { from, to }: RenamedMember,
): void {
  const parents = value.path.slice(0, -1)
  const rest = to.split('.').slice(parents.length)
  const isBelow = to.split('.').slice(0, parents.length).join('.') === parents.join('.')
  if (node.computed || !isBelow) file.remark(node, `${from} is called ${to} now.`)
  else file.changed.overwrite(node.property.start, node.property.end, rest.join('.'))
}

interface Renaming {
  readonly value: Value
  readonly row: RenamedMember
  readonly values: Values
}

/** A member that has a name of its own: `const { endUser } = auth`, or `import { endUser } from './auth'`. */
function renameBinding(file: FileEdit, binding: Binding, { value, row, values }: Renaming): void {
  const [first = '', ...rest] = row.to.split('.')
  const place = placeOf(file, binding)
  const isExported = binding.references.some(
    each => file.parentOf(each)?.type === 'ExportSpecifier',
  )
  const old = value.path.at(-1) ?? ''
  if (!place || isExported || (rest.length > 0 && file.isInTemplate(binding.name))) {
    file.remark(binding.identifier, `${row.from} is called ${row.to} now.`)
    return
  }
  const origin = values.originOf(binding, file.source)
  // The group has a name already, as in `const { ask } = auth.passwords`; or the call is not in a group.
  if (value.path.length > 1 || rest.length === 0) {
    const name = row.to.split('.').at(-1) ?? ''
    // It is exported by its old name if the new one is taken there.
    const member = origin?.mentions(name) ? old : name
    place.rename(member, renameLocal(file, binding, old, name))
    return
  }
  const local = groupIn(file, values, value.of, first)
  for (const use of binding.references) file.replaceUse(use, [local, ...rest].join('.'))
  place.replace(origin ? groupNameIn(origin, first) : first, local)
}

/** What a group is called in a file: as it is already, or by its name if that is free. */
function groupIn(file: FileEdit, values: Values, of: string, group: string): string {
  const existing = file.scopes.bindings.find(each => {
    const value = values.valueOfBinding(each, file.source)
    return value && keyOf(value) === `${of}#${group}`
  })
  return existing?.name ?? groupNameIn(file.scopes, group)
}

/** `sessions`, or `authSessions` if a file uses that name for something else. */
function groupNameIn(scopes: FileEdit['scopes'], group: string): string {
  return scopes.mentions(group) ? `auth${group.charAt(0).toUpperCase()}${group.slice(1)}` : group
}

/** Where a name is declared that stands for a member. */
interface Place {
  /** It stands for another member. */
  rename(member: string, local: string): void
  /** Instead of it, another name stands for a group, once. */
  replace(member: string, local: string): void
}

function placeOf(file: FileEdit, { identifier, declaration }: Binding): Place | null {
  if (declaration.type === 'ImportSpecifier') {
    const parent = file.parentOf(declaration)
    if (parent?.type !== 'ImportDeclaration') return null
    const { start } = declaration.imported
    return {
      rename: (member, local) =>
        file.changed.overwrite(start, declaration.end, asText(member, local, ' as ')),
      replace(member, local) {
        file.removeImport(parent, identifier.name)
        file.addImport(asText(member, local, ' as '), parent.source.value)
      },
    }
  }
  const property = propertyOf(file, identifier)
  const pattern = property && file.parentOf(property)
  if (property?.type !== 'Property' || pattern?.type !== 'ObjectPattern') return null
  const { value } = property
  const fallback =
    value.type === 'AssignmentPattern' ? file.source.text.slice(value.left.end, value.end) : ''
  return {
    rename: (member, local) =>
      file.changed.overwrite(property.start, property.end, asText(member, local, ': ') + fallback),
    replace: (member, local) =>
      file.replaceInPattern(pattern, property, asText(member, local, ': ')),
  }
}

function propertyOf(file: FileEdit, identifier: Node): Node | null {
  const parent = file.parentOf(identifier)
  return parent?.type === 'AssignmentPattern' ? file.parentOf(parent) : parent
}

function asText(member: string, local: string, separator: string): string {
  return member === local ? member : `${member}${separator}${local}`
}
