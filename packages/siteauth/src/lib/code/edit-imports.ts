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
    const remaining = declaration.specifiers.filter(({ local }) => !remove.includes(local.name))
    if (remaining.length === 0 && add.length > 0) {
      const { start, source: module } = declaration
      changed.overwrite(start, module.start, `import { ${add.join(', ')} } from `)
      continue
    }
    const cannotTake =
      declaration.importKind === 'type' ||
      remaining.some(each => each.type === 'ImportNamespaceSpecifier')
    if (add.length > 0 && cannotTake) {
      further.push(importText(source, `{ ${add.join(', ')} }`, declaration.source.value))
    } else if (add.length > 0) addNames(changed, source, declaration, remaining, add)
    if (remaining.length === 0 && declaration.specifiers.length > 0) gone.add(declaration)
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
  remaining: ImportDeclaration['specifiers'],
  add: readonly string[],
): void {
  const there = remaining.map(each => text.slice(each.start, each.end))
  const names = add.filter(name => !there.includes(name))
  if (names.length === 0) return
  const lastNamed = remaining.findLast(each => each.type === 'ImportSpecifier')
  const last = lastNamed ?? remaining.at(-1) ?? declaration
  if (!lastNamed) {
    changed.appendLeft(last.end, `, { ${names.join(', ')} }`)
    return
  }
  const [, onOwnLine] = /(\r?\n[ \t]*)$/.exec(text.slice(declaration.start, last.start)) ?? []
  changed.appendLeft(last.end, names.map(name => `,${onOwnLine ?? ' '}${name}`).join(''))
}

function removeNames(
  changed: MagicString,
  source: Source,
  { specifiers, source: { start: end } }: ImportDeclaration,
  remove: readonly string[],
): void {
  const { text } = source
  const isRemoved = ({ local }: (typeof specifiers)[0]) => remove.includes(local.name)
  const named = specifiers.filter(each => each.type === 'ImportSpecifier')
  const lastRemaining = named.findLast(each => !isRemoved(each))
  const other = specifiers.find(each => each.type !== 'ImportSpecifier')
  if (other && isRemoved(other)) changed.remove(other.start, findSign(source, '{', other.end))
  else if (other && named.length > 0 && !lastRemaining) {
    // What is left is the default, without braces.
    const close = findSign(source, '}', named.at(-1)?.end ?? end)
    changed.remove(other.end, close + 1)
    return
  }
  for (const [index, each] of named.entries()) {
    if (!isRemoved(each)) continue
    const limit = named[index + 1]?.start ?? findSign(source, '}', each.end)
    const comma = findSign(source, ',', each.end)
    const isLast = index === named.length - 1
    if (comma >= limit) {
      // The last one, with no comma behind it: the one before it needs none, either.
      const [space = ''] = /\s*$/.exec(text.slice(0, each.start)) ?? []
      const isComment = source.comments.some(({ end: at }) => at === each.start - space.length)
      changed.remove(each.start - (isComment ? 0 : space.length), each.end)
      continue
    }
    const isBeside = text.slice(each.end, comma).trim() === ''
    if (!isBeside) changed.remove(comma, comma + 1)
    const stop = isBeside ? comma + 1 : each.end
    const space = startsLine(text, each.start) ? /^[ \t]*\r?\n[ \t]*/ : /^[ \t]*/
    const [rest = ''] = (isLast ? null : space.exec(text.slice(stop, limit))) ?? []
    // The last one takes its own line along.
    const [line = ''] = (isLast && /\r?\n[ \t]*$/.exec(text.slice(0, each.start))) || []
    changed.remove(each.start - line.length, stop + rest.length)
  }
  const last = named.at(-1)
  const close = findSign(source, '}', last?.end ?? end)
  if (!lastRemaining || !last || lastRemaining === last || findSign(source, ',', last.end) < close)
    return
  const comma = findSign(source, ',', lastRemaining.end)
  const [space = ''] = /^[ \t]*(?![ \t/])/.exec(text.slice(comma + 1)) ?? [] // not before a comment
  changed.remove(comma, comma + 1 + space.length)
}

/** Where a sign is next that is in no comment; the end of the text if it is nowhere. */
function findSign({ text, comments }: Source, sign: string, from: number): number {
  for (let at = text.indexOf(sign, from); at !== -1; at = text.indexOf(sign, at + 1)) {
    if (!comments.some(({ start, end }) => start <= at && at < end)) return at
  }
  return text.length
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
