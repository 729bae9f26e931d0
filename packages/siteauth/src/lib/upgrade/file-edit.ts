import MagicString from 'magic-string'
import type { ImportDeclaration, Node } from 'oxc-parser'
import { isComponent, templateOf } from '../code/component.ts'
import {
  editImports,
  type ImportEdit,
  importsIn,
  importText,
  insertBehind,
} from '../code/edit-imports.ts'
import type { Scopes } from '../code/scopes.ts'
import { lineOf, nameOf, type Source, visit } from '../code/source.ts'
import type { Remark } from '../code/workspace.ts'

type ObjectPattern = Extract<Node, { type: 'ObjectPattern' }>

/** A file while its names are changed. Edits never overlap: each is a name, a separator, or an argument that goes. */
export class FileEdit {
  readonly source: Source
  readonly scopes: Scopes
  readonly changed: MagicString
  /** What a component shows: it may use names that its code declares. */
  readonly #template: string
  readonly #parents = new Map<Node, Node | null>()
  readonly #remarks: { readonly node: Node; readonly what: string }[] = []
  readonly #removed = new Map<ImportDeclaration, Set<string>>()
  readonly #added: { readonly name: string; readonly module: string; readonly isType: boolean }[] =
    []
  readonly #used = new Set<string>()
  readonly #statements: { readonly text: string; readonly behind: Node | null }[] = []
  readonly #patterns = new Map<ObjectPattern, Map<Node, string>>()

  constructor(source: Source, scopes: Scopes) {
    this.source = source
    this.scopes = scopes
    this.changed = new MagicString(source.text)
    this.#template = isComponent(source.file) ? templateOf(source.file, source.text) : ''
    visit(source.program, (node, parent) => {
      this.#parents.set(node, parent)
      return undefined
    })
  }

  parentOf(node: Node): Node | null {
    return this.#parents.get(node) ?? null
  }

  /** All nodes of the file. */
  nodes(): Iterable<Node> {
    return this.#parents.keys()
  }

  textOf(node: Node): string {
    return this.source.text.slice(node.start, node.end)
  }

  remark(node: Node, what: string): void {
    const line = lineOf(this.source, node.start)
    const isThere = this.#remarks.some(
      each => each.what === what && lineOf(this.source, each.node.start) === line,
    )
    if (!isThere) this.#remarks.push({ node, what })
  }

  /** Whether the template of a component mentions a name. */
  isInTemplate(name: string): boolean {
    return new RegExp(`\\b${name}\\b`).test(this.#template)
  }

  /** Whether a name can be declared at the top of this file without hiding another. */
  isFree(name: string): boolean {
    return !this.scopes.mentions(name) && !this.isInTemplate(name) && !this.#used.has(name)
  }

  /** Takes a name, so that it is not free any more. */
  take(name: string): string {
    this.#used.add(name)
    return name
  }

  /** Replaces a use of a name; where it is short for a member of an object as well, the member keeps its name. */
  replaceUse(use: Node, text: string): void {
    const parent = this.parentOf(use)
    const isShorthand = parent?.type === 'Property' && parent.shorthand && parent.value === use
    if (isShorthand) this.changed.overwrite(use.start, use.end, `${nameOf(parent.key)}: ${text}`)
    else if (parent?.type === 'ExportSpecifier' && parent.local.start === parent.exported.start) {
      this.changed.overwrite(use.start, use.end, `${text} as ${nameOf(parent.exported)}`)
    } else this.changed.overwrite(use.start, use.end, text)
  }

  removeImport(declaration: ImportDeclaration, local: string): void {
    const removed = this.#removed.get(declaration) ?? new Set()
    removed.add(local)
    this.#removed.set(declaration, removed)
  }

  /** Imports `name`, which may be `a as b`, once. */
  addImport(name: string, module: string, isType = false): void {
    if (this.#added.some(each => each.name === name && each.module === module)) return
    this.#added.push({ name, module, isType })
  }

  /** Adds a statement behind one at the top of the file, or behind the imports, with an empty line between. */
  addStatement(text: string, behind: Node | null): void {
    this.#statements.push({ text, behind })
  }

  #insertStatements(): void {
    const last = importsIn(this.source).at(-1)
    for (const { text, behind } of this.#statements) {
      const model = this.textOf(behind ?? last ?? this.source.program)
      const statement = `\n${text}${model.endsWith(';') ? ';' : ''}`
      insertBehind(this.changed, this.source, [statement], behind ?? last)
    }
  }

  /** Removes some items of a list, with the commas that are theirs. */
  removeItems(items: readonly Node[], isGone: (item: Node) => boolean): void {
    const lastRemaining = items.findLastIndex(each => !isGone(each))
    const end = items.at(-1)?.end ?? 0
    if (lastRemaining === -1) {
      const [first] = items
      if (first) this.changed.remove(first.start, end)
      return
    }
    for (const [index, item] of items.entries()) {
      if (index >= lastRemaining || !isGone(item)) continue
      this.changed.remove(item.start, items[index + 1]?.start ?? item.end)
    }
    const last = items[lastRemaining]
    if (last && lastRemaining < items.length - 1) this.changed.remove(last.end, end)
  }

  /** Replaces a property of a pattern: several by the same text become one. */
  replaceInPattern(pattern: ObjectPattern, property: Node, text: string): void {
    const replaced = this.#patterns.get(pattern) ?? new Map<Node, string>()
    replaced.set(property, text)
    this.#patterns.set(pattern, replaced)
  }

  #editPatterns(): void {
    for (const [{ properties }, replaced] of this.#patterns) {
      const there = new Set(
        properties.filter(each => !replaced.has(each)).map(each => this.textOf(each)),
      )
      const gone = new Set<Node>()
      for (const [property, text] of replaced) {
        if (there.has(text)) gone.add(property)
        else this.changed.overwrite(property.start, property.end, text)
        there.add(text)
      }
      this.removeItems(properties, each => gone.has(each))
    }
  }

  /** The text and the remarks, once all is known. */
  finish(): { readonly text: string; readonly remarks: readonly Remark[] } {
    this.#editPatterns()
    this.#editImports()
    this.#insertStatements()
    return {
      text: this.changed.toString(),
      remarks: this.#remarks.map(({ node, what }) => ({
        where: `${this.source.file}:${this.#lineAfter(node)}`,
        what,
      })),
    }
  }

  #editImports(): void {
    const edits = new Map<
      ImportDeclaration,
      { declaration: ImportDeclaration; remove: string[]; add: string[] }
    >()
    const editOf = (declaration: ImportDeclaration) => {
      const edit = edits.get(declaration) ?? { declaration, remove: [], add: [] }
      edits.set(declaration, edit)
      return edit
    }
    for (const [declaration, names] of this.#removed) editOf(declaration).remove.push(...names)
    const statements = new Map<string, { names: string[]; isType: boolean }>()
    for (const { name, module, isType } of this.#added) {
      const existing = importsIn(this.source).find(
        each =>
          each.source.value === module &&
          (each.importKind !== 'type' || isType) &&
          each.specifiers.every(one => one.type !== 'ImportNamespaceSpecifier'),
      )
      if (existing && hasName(existing, name)) continue
      const isTypeOnly = existing?.importKind === 'type'
      const text = isType && !isTypeOnly ? `type ${name}` : name
      if (existing && !isTypeOnly) editOf(existing).add.push(text)
      else if (existing) this.#addToTypes(existing, name)
      else {
        const statement = statements.get(module) ?? { names: [], isType: true }
        statements.set(module, {
          names: [...statement.names, name],
          isType: statement.isType && isType,
        })
      }
    }
    editImports(this.changed, this.source, {
      edits: [...edits].map(([declaration, edit]) => this.#inPlace(declaration, edit)),
      statements: [...statements].map(([module, { names, isType }]) =>
        importText(this.source, `${isType ? 'type ' : ''}{ ${names.join(', ')} }`, module),
      ),
    })
  }

  /** What is new takes the place of what goes, so that lists stay as they are laid out. */
  #inPlace(declaration: ImportDeclaration, { remove, add }: Required<ImportEdit>): ImportEdit {
    const replaced = declaration.specifiers.find(
      each => each.type === 'ImportSpecifier' && remove.includes(each.local.name),
    )
    if (!replaced || add.length === 0) return { declaration, remove, add }
    this.changed.overwrite(replaced.start, replaced.end, add.join(', '))
    return { declaration, remove: remove.filter(name => name !== replaced.local.name) }
  }

  #addToTypes({ specifiers }: ImportDeclaration, name: string): void {
    const last = specifiers.at(-1)
    if (last) this.changed.appendLeft(last.end, `, ${name}`)
  }

  /** The line of a node in the new text: that of the start of its line in the old one. */
  #lineAfter(node: Node): number {
    const start = this.source.text.slice(0, node.start).lastIndexOf('\n') + 1
    if (start === 0) return 1
    try {
      return this.changed.slice(0, start).split('\n').length
    } catch {
      // The start of the line is within something that was replaced.
      return lineOf(this.source, node.start)
    }
  }
}

function hasName({ specifiers }: ImportDeclaration, name: string): boolean {
  return specifiers.some(each => {
    if (each.type !== 'ImportSpecifier') return false
    const imported = nameOf(each.imported)
    return name === (imported === each.local.name ? imported : `${imported} as ${each.local.name}`)
  })
}
