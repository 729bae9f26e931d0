import type MagicString from 'magic-string'
import type { ImportDeclaration, Node } from 'oxc-parser'
import { nameOf, type Source, visit } from './source.ts'

/** What an import is to have no more, and what it is to have as well. */
export interface ImportEdit {
  readonly declaration: ImportDeclaration
  /** Names in this file. */
  readonly remove?: readonly string[]
  readonly add?: readonly string[]
}

/** All that changes about the imports of a file. */
export interface ImportEdits {
  readonly edits?: readonly ImportEdit[]
  /** Further imports, such as `import a from 'a'`, in the style of the file. */
  readonly statements?: readonly string[]
}

/** Changes imports where they are written, with the comments between them; those that are empty go. */
export function editImports(
  changed: MagicString,
  source: Source,
  { edits = [], statements = [] }: ImportEdits,
): void {
  const gone = new Set<Node>()
  const further = [...statements]
  for (const edit of edits) {
    const { declaration, remove = [], add = [] } = edit
    const kept = declaration.specifiers.filter(({ local }) => !remove.includes(local.name))
    if (kept.length === 0 && add.length > 0) {
      const { start, source: module } = declaration
      changed.overwrite(start, module.start, `import { ${add.join(', ')} } from `)
      continue
    }
    const cannotTake =
      declaration.importKind === 'type' ||
      kept.some(each => each.type === 'ImportNamespaceSpecifier')
    if (add.length > 0 && cannotTake) {
      further.push(importText(source, `{ ${add.join(', ')} }`, declaration.source.value))
    } else if (add.length > 0) addNames(changed, source, declaration, kept, add)
    if (kept.length === 0 && declaration.specifiers.length > 0) gone.add(declaration)
    else removeNames(changed, source, declaration, remove)
  }
  place(changed, source, further, gone)
}

/** An import in the style of the others. */
export function importText({ program, text }: Source, what: string, module: string): string {
  const last = program.body.findLast(each => each.type === 'ImportDeclaration')
  const quote = last
    ? text[last.source.start]
    : text.includes('"') && !text.includes("'")
      ? '"'
      : "'"
  const hasSemicolons = last ? text.slice(0, last.end).endsWith(';') : /;[ \t]*$/m.test(text)
  return `import ${what} from ${quote}${module}${quote}${hasSemicolons ? ';' : ''}`
}

/** How lines end in a text. */
export function lineBreakOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** Puts statements behind the last of some kind, or else in front of all but directives. */
export function insertBehind(
  changed: MagicString,
  { program, text }: Source,
  statements: readonly string[],
  last: Node | undefined,
): void {
  if (statements.length === 0) return
  const lineBreak = lineBreakOf(text)
  if (last) {
    // A comment at the end of the line belongs to what is there.
    const [rest = ''] =
      /^[ \t]*(?:\/\/.*|\/\*.*?\*\/[ \t]*)?(?=\r?$)/m.exec(text.slice(last.end)) ?? []
    changed.appendLeft(last.end + rest.length, statements.map(each => lineBreak + each).join(''))
    return
  }
  const first = program.body.find(each => !('directive' in each && each.directive))
  const lines = statements.map(each => each + lineBreak).join('')
  changed.appendLeft(first ? first.start : text.length, lines)
}

function place(
  changed: MagicString,
  source: Source,
  statements: readonly string[],
  gone: ReadonlySet<Node>,
): void {
  const all = importsIn(source)
  const last = all.findLast(each => !gone.has(each))
  const [firstGone, ...others] = [...gone]
  // With none left to stand behind, they take the place of one.
  const isTaken = !last && firstGone && statements.length > 0
  for (const each of isTaken ? others : gone) {
    // With the line that it was on.
    const [rest = ''] = /^[ \t]*\r?\n/.exec(source.text.slice(each.end)) ?? []
    changed.remove(each.start, each.end + rest.length)
  }
  if (isTaken) {
    changed.overwrite(firstGone.start, firstGone.end, statements.join(lineBreakOf(source.text)))
  } else insertBehind(changed, source, statements, last)
}

function addNames(
  changed: MagicString,
  { text }: Source,
  declaration: ImportDeclaration,
  kept: ImportDeclaration['specifiers'],
  add: readonly string[],
): void {
  const there = kept.map(each => text.slice(each.start, each.end))
  const names = add.filter(name => !there.includes(name))
  if (names.length === 0) return
  const lastNamed = kept.findLast(each => each.type === 'ImportSpecifier')
  const last = lastNamed ?? kept.at(-1) ?? declaration
  if (!lastNamed) {
    changed.appendLeft(last.end, `, { ${names.join(', ')} }`)
    return
  }
  const [, onOwnLine] = /(\r?\n[ \t]*)$/.exec(text.slice(declaration.start, last.start)) ?? []
  changed.appendLeft(last.end, names.map(name => `,${onOwnLine ?? ' '}${name}`).join(''))
}

function removeNames(
  changed: MagicString,
  { text }: Source,
  { specifiers, source: { start: end } }: ImportDeclaration,
  remove: readonly string[],
): void {
  const removed = specifiers.filter(({ local }) => remove.includes(local.name))
  const named = specifiers.filter(each => each.type === 'ImportSpecifier')
  const keptNamed = named.filter(each => !removed.includes(each))
  const [first] = specifiers
  if (named.length > 0 && keptNamed.length === 0 && first && !removed.includes(first)) {
    // What is left is the default, without braces.
    const close = text.lastIndexOf('}', end)
    changed.remove(first.end, close + 1)
    return
  }
  for (const each of removed) {
    if (each.type !== 'ImportSpecifier') {
      changed.remove(each.start, text.indexOf('{', each.end))
      continue
    }
    const [comma] = /^\s*,[ \t]*/.exec(text.slice(each.end, end)) ?? []
    const before = keptNamed.findLast(other => other.end < each.start)
    const isFollowed = keptNamed.some(other => other.start > each.end)
    if (comma && (isFollowed || !before)) {
      const [rest = ''] = startsLine(text, each.start)
        ? (/^\r?\n[ \t]*/.exec(text.slice(each.end + comma.length, end)) ?? [])
        : []
      changed.remove(each.start, each.end + comma.length + rest.length)
    } else if (before) {
      const between = text.slice(before.end, each.start)
      const at = before.end + between.indexOf(',')
      changed.remove(at, at + 1)
      const [space = ''] = /\s*$/.exec(text.slice(at + 1, each.start)) ?? []
      changed.remove(each.start - space.length, each.end)
    } else changed.remove(each.start, each.end)
  }
}

function startsLine(text: string, position: number): boolean {
  return /\n[ \t]*$/.test(text.slice(0, position))
}

/** The imports of a file. */
export function importsIn({ program }: Source): readonly ImportDeclaration[] {
  return program.body.filter(each => each.type === 'ImportDeclaration')
}

/** How often a name is used in a file, imports apart. */
export function countUses({ program }: Source, name: string): number {
  let count = 0
  visit(program, (node, parent) => {
    if (node.type === 'ImportDeclaration') return false
    if (node.type === 'Identifier' && node.name === name && !isMemberName(node, parent)) count++
    return undefined
  })
  return count
}

/** Whether a word only names a member: `b` of `a.b` and of `{ b: 1 }`. */
function isMemberName(node: Node, parent: Node | null): boolean {
  if (parent?.type === 'MemberExpression') return parent.property === node && !parent.computed
  const isKey = parent?.type === 'Property' || parent?.type === 'TSPropertySignature'
  return (
    isKey && parent.key === node && !parent.computed && !('shorthand' in parent && parent.shorthand)
  )
}

/** Whether a file declares a name at its top. */
export function declares({ program, imports }: Source, name: string): boolean {
  if (imports.has(name)) return true
  return program.body.some(statement => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement
    if (!declaration) return false
    if ('id' in declaration && declaration.id && nameOf(declaration.id) === name) return true
    if (declaration.type !== 'VariableDeclaration') return false
    return declaration.declarations.some(({ id }) => {
      if (id.type === 'Identifier') return id.name === name
      if (id.type !== 'ObjectPattern') return false
      return id.properties.some(each => each.type === 'Property' && nameOf(each.value) === name)
    })
  })
}
