import { type Comment, type Node, type Program, parseSync } from 'oxc-parser'
import { NotText, readText } from '../project/files.ts'

/** A file of code, parsed. */
export interface Source {
  /** Relative to the project. */
  readonly file: string
  readonly text: string
  readonly program: Program
  readonly comments: readonly Comment[]
  /** What its names stand for that come from other modules. */
  readonly imports: ReadonlyMap<string, Imported>
}

/** What a name stands for in another module: `default`, `*` for all of it, or the name it has there. */
interface Imported {
  readonly module: string
  readonly name: string
}

/** The text of a file of code; null if there is none, or if it is not text. */
export function readCode(path: string): string | null {
  try {
    return readText(path)
  } catch (error) {
    if (error instanceof NotText) return null
    throw error
  }
}

/**
 * Parses a text; null if it cannot be.
 *
 * @param returns whether the code may return, though it is in no function
 */
export function parseSource(
  file: string,
  text: string,
  { returns = false }: { readonly returns?: boolean } = {},
): Source | null {
  const { program, comments, errors } = parseSync(file, text)
  if (errors.some(({ message }) => !returns || !RETURN_OUTSIDE.test(message))) return null
  return { file, text, program, comments, imports: importsOf(program) }
}

// The parser reads on behind it.
const RETURN_OUTSIDE = /^A 'return' statement can only be used/

/** Calls `see` for a node and all below it; `see` returns false to go no deeper. */
export function visit(
  node: Node,
  see: (node: Node, parent: Node | null) => boolean | undefined,
): void {
  visitBelow(node, null, see)
}

function visitBelow(
  node: Node,
  parent: Node | null,
  see: (node: Node, parent: Node | null) => boolean | undefined,
): void {
  if (see(node, parent) === false) return
  for (const child of childrenOf(node)) visitBelow(child, node, see)
}

/** The nodes directly below a node, in the order of the text. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'parent') return []
    // Whatever has a type is a node: the tree holds nothing else that does.
    return (Array.isArray(value) ? value : [value]).filter(
      (child): child is Node => typeof child?.type === 'string',
    )
  })
}

/** The line of a position, counted from 1. */
export function lineOf({ text }: Source, position: number): number {
  return text.slice(0, position).split('\n').length
}

function importsOf(program: Program): ReadonlyMap<string, Imported> {
  const imports = new Map<string, Imported>()
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      const module = statement.source.value
      for (const each of statement.specifiers) {
        imports.set(each.local.name, { module, name: importedName(each) })
      }
    }
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) {
      const required = requiredBy(init)
      if (!required) continue
      if (id.type === 'Identifier') imports.set(id.name, required)
      if (id.type !== 'ObjectPattern') continue
      for (const property of id.properties) {
        if (property.type !== 'Property' || property.value.type !== 'Identifier') continue
        const name = nameOf(property.key)
        if (name) imports.set(property.value.name, { module: required.module, name })
      }
    }
  }
  return imports
}

function importedName(each: Node): string {
  if (each.type === 'ImportDefaultSpecifier') return 'default'
  if (each.type !== 'ImportSpecifier') return '*'
  return nameOf(each.imported) ?? '*'
}

/** What `require('x')` or `require('x').name` stands for. */
function requiredBy(init: Node | null): Imported | null {
  if (init?.type === 'AwaitExpression') return requiredBy(init.argument)
  if (init?.type === 'MemberExpression') {
    const inner = requiredBy(init.object)
    const name = nameOf(init.property)
    return inner && name ? { module: inner.module, name } : null
  }
  if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') return null
  const [module] = init.arguments
  if (init.callee.name !== 'require' || module?.type !== 'Literal') return null
  return typeof module.value === 'string' ? { module: module.value, name: 'default' } : null
}

/** The name that a key is written with. */
export function nameOf(key: Node): string | null {
  if (key.type === 'Identifier') return key.name
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value
  return null
}
