import type { Node } from 'oxc-parser'
import { type Binding, type Identifier, readScopes, type Scopes } from '../code/scopes.ts'
import { nameOf, type Source, visit } from '../code/source.ts'
import type { Workspace } from '../code/workspace.ts'
import type { NameTable } from './name-table.ts'

/** What an expression stands for: a member of something of ours, such as `passwords.ask` of an instance for Hono. */
export interface Value {
  /** An entry, a value that the table names, or `file:` and a file of the project. */
  readonly of: string
  readonly path: readonly string[]
}

/** Tells what the expressions of a project stand for, as far as that can be read without running it. */
export interface Values {
  valueOf(node: Node, source: Source): Value | null
  /** What a name stands for where it is declared. */
  valueOfBinding(binding: Binding, source: Source): Value | null
  /** What a type of ours describes. */
  typed(type: Node, source: Source): Value | null
  scopesOf(source: Source): Scopes
  /** The names of the file of the project that declares what another one imports; null if it is imported from none. */
  originOf(binding: Binding, source: Source): Scopes | null
  /** What a name is given where it is declared, in this file or another. */
  definitionOf(identifier: Node, source: Source): Definition | null
}

/** An expression or a function, and the file that it is in. */
interface Definition {
  readonly node: Node
  readonly source: Source
}

/** A file of the project, as a module: its members are what it exports. */
const FILE = 'file:'

export function openValues(workspace: Workspace, table: NameTable): Values {
  return new Evaluation(workspace, table)
}

class Evaluation implements Values {
  readonly #workspace: Workspace
  readonly #table: NameTable
  readonly #scopes = new Map<Source, Scopes>()
  readonly #found = new Map<Node, Value | null>()
  // Of Nuxt: what all files of the server know by its name.
  #globals: ReadonlyMap<string, Value> | null = null

  constructor(workspace: Workspace, table: NameTable) {
    this.#workspace = workspace
    this.#table = table
  }

  scopesOf(source: Source): Scopes {
    const scopes = this.#scopes.get(source) ?? readScopes(source)
    this.#scopes.set(source, scopes)
    return scopes
  }

  valueOf(node: Node, source: Source): Value | null {
    const cached = this.#found.get(node)
    if (cached !== undefined) return cached
    // Declarations may refer to each other in a circle.
    this.#found.set(node, null)
    const value = this.#read(node, source)
    this.#found.set(node, value)
    return value
  }

  valueOfBinding({ identifier, declaration }: Binding, source: Source): Value | null {
    switch (declaration.type) {
      case 'ImportSpecifier':
        return this.#imported(source, moduleOf(declaration, source), nameOf(declaration.imported))
      case 'ImportDefaultSpecifier':
        return this.#imported(source, moduleOf(declaration, source), 'default')
      case 'ImportNamespaceSpecifier':
        return this.#imported(source, moduleOf(declaration, source), null)
      case 'VariableDeclarator': {
        const whole =
          this.#annotated(declaration.id, source) ??
          (declaration.init ? this.valueOf(declaration.init, source) : null)
        return memberAt(whole, pathTo(declaration.id, identifier))
      }
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        return null
      default: {
        const pattern =
          declaration.type === 'TSParameterProperty' ? declaration.parameter : declaration
        const left = pattern.type === 'AssignmentPattern' ? pattern.left : pattern
        return memberAt(this.#annotated(left, source), pathTo(left, identifier))
      }
    }
  }

  originOf({ declaration }: Binding, source: Source): Scopes | null {
    if (declaration.type !== 'ImportSpecifier') return null
    const origin = this.#declaring(
      this.#workspace.resolve(source.file, moduleOf(declaration, source) ?? ''),
      nameOf(declaration.imported) ?? '',
    )
    return origin && this.scopesOf(origin.source)
  }

  definitionOf(identifier: Node, source: Source): Definition | null {
    const binding = this.scopesOf(source).bindingOf(identifier)
    if (!binding) return null
    const { declaration } = binding
    if (declaration.type === 'ImportSpecifier' || declaration.type === 'ImportDefaultSpecifier') {
      const file = this.#workspace.resolve(source.file, moduleOf(declaration, source) ?? '')
      const name =
        declaration.type === 'ImportSpecifier' ? (nameOf(declaration.imported) ?? '') : 'default'
      const origin = this.#declaring(file, name)
      return origin && definedBy(origin)
    }
    return definedBy({ binding, source })
  }

  /** The declaration of what a file exports. */
  #declaring(
    file: string | null,
    name: string,
    seen: readonly string[] = [],
  ): { readonly binding: Binding; readonly source: Source } | null {
    const source = file === null || seen.includes(file) ? null : this.#workspace.source(file)
    if (file === null || !source) return null
    const scopes = this.scopesOf(source)
    const binding = exportedBindings(source, scopes).find(each => each.name === name)
    if (binding) return { binding, source }
    for (const statement of source.program.body) {
      const isAll = statement.type === 'ExportAllDeclaration'
      if (isAll) {
        const inner = this.#workspace.resolve(file, statement.source.value)
        const found = this.#declaring(inner, name, [...seen, file])
        if (found) return found
      }
      const local = exportedLocal(statement, name)
      if (!local) continue
      if (statement.type === 'ExportNamedDeclaration' && statement.source) {
        const inner = this.#workspace.resolve(file, statement.source.value)
        return this.#declaring(inner, nameOf(local) ?? '', [...seen, file])
      }
      const declared = scopes.bindingOf(local)
      if (declared) return { binding: declared, source }
    }
    return null
  }

  #read(node: Node, source: Source): Value | null {
    switch (node.type) {
      case 'Identifier': {
        const binding = this.scopesOf(source).bindingOf(node)
        return binding ? this.valueOfBinding(binding, source) : this.#global(node.name)
      }
      case 'MemberExpression': {
        const name =
          node.computed && node.property.type === 'Identifier' ? null : nameOf(node.property)
        if (name === null) return null
        if (node.object.type === 'ThisExpression') return this.#fieldOf(name, source)
        return this.#member(this.valueOf(node.object, source), name)
      }
      case 'CallExpression':
        return this.#returned(node, source)
      case 'AwaitExpression':
      case 'TSInstantiationExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression': {
        const inner = node.type === 'AwaitExpression' ? node.argument : node.expression
        return this.valueOf(inner, source)
      }
      case 'TSAsExpression':
        return this.typed(node.typeAnnotation, source) ?? this.valueOf(node.expression, source)
      case 'ImportExpression':
        return this.#imported(source, nameOf(node.source), null)
      default:
        return null
    }
  }

  #returned(node: Extract<Node, { type: 'CallExpression' }>, source: Source): Value | null {
    const { callee } = node
    if (callee.type === 'Identifier' && callee.name === 'require' && node.arguments[0]) {
      return this.#imported(source, nameOf(node.arguments[0]), null)
    }
    const called = this.valueOf(callee, source)
    const of = called && this.#table.returns[keyOf(called)]
    return of ? { of, path: [] } : null
  }

  #member(object: Value | null, name: string): Value | null {
    if (object?.of.startsWith(FILE) && object.path.length === 0) {
      return this.#exported(object.of.slice(FILE.length), name)
    }
    return memberAt(object, [name])
  }

  #imported(from: Source, module: string | null, name: string | null): Value | null {
    if (module === null) return null
    const file = this.#workspace.resolve(from.file, module)
    if (file === null) return { of: module, path: name === null ? [] : [name] }
    return name === null ? { of: FILE + file, path: [] } : this.#exported(file, name)
  }

  /** What a file exports by a name. */
  #exported(file: string, name: string, seen: readonly string[] = []): Value | null {
    const source = seen.includes(file) ? null : this.#workspace.source(file)
    if (!source) return null
    for (const statement of source.program.body) {
      if (statement.type === 'ExportDefaultDeclaration' && name === 'default') {
        return this.valueOf(statement.declaration, source)
      }
      if (statement.type === 'ExportNamedDeclaration') {
        const found = statement.specifiers.find(({ exported }) => nameOf(exported) === name)
        if (found && statement.source) {
          return this.#imported(source, statement.source.value, nameOf(found.local))
        }
        if (found) return this.valueOf(found.local, source)
      }
      if (statement.type === 'ExportAllDeclaration' && !statement.exported) {
        const inner = this.#workspace.resolve(file, statement.source.value)
        const value = inner && this.#exported(inner, name, [...seen, file])
        if (value) return value
      }
    }
    const binding = exportedBindings(source, this.scopesOf(source)).find(each => each.name === name)
    return binding ? this.valueOfBinding(binding, source) : null
  }

  #annotated(pattern: Node, source: Source): Value | null {
    if (!('typeAnnotation' in pattern) || pattern.typeAnnotation?.type !== 'TSTypeAnnotation') {
      return null
    }
    return this.typed(pattern.typeAnnotation.typeAnnotation, source)
  }

  typed(type: Node, source: Source): Value | null {
    if (type.type === 'TSTypeQuery' && type.exprName.type === 'Identifier') {
      return this.valueOf(type.exprName, source)
    }
    // `AuthConfig['session']`
    if (type.type === 'TSIndexedAccessType' && type.indexType.type === 'TSLiteralType') {
      const name = nameOf(type.indexType.literal)
      return name === null ? null : memberAt(this.typed(type.objectType, source), [name])
    }
    if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return null
    if (type.typeName.name === 'ReturnType' && type.typeArguments?.params[0]) {
      const [of] = type.typeArguments.params
      const made = this.typed(of, source)
      const returned = made && this.#table.returns[keyOf(made)]
      return returned ? { of: returned, path: [] } : null
    }
    const named = this.valueOf(type.typeName, source)
    const of = named && this.#table.types[keyOf(named)]
    return of ? { of, path: [] } : null
  }

  /** What `this.name` stands for: a field, or a parameter of a constructor. */
  #fieldOf(name: string, source: Source): Value | null {
    let found: Value | null = null
    visit(source.program, node => {
      const isField = node.type === 'PropertyDefinition' && nameOf(node.key) === name
      if (isField)
        found ??= this.#annotated(node, source) ?? (node.value && this.valueOf(node.value, source))
      const parameter = node.type === 'TSParameterProperty' ? node.parameter : null
      if (parameter?.type === 'Identifier' && parameter.name === name) {
        found ??= this.#annotated(parameter, source)
      }
      return undefined
    })
    return found
  }

  #global(name: string): Value | null {
    this.#globals ??= this.#readGlobals()
    return this.#globals.get(name) ?? null
  }

  #readGlobals(): ReadonlyMap<string, Value> {
    const globals = new Map<string, Value>()
    for (const file of this.#workspace.files()) {
      const frameworks = Object.entries(this.#table.globals).filter(([, folder]) =>
        folder.test(file),
      )
      const source = frameworks.length > 0 ? this.#workspace.source(file) : null
      if (!source) continue
      for (const binding of exportedBindings(source, this.scopesOf(source))) {
        const value = this.valueOfBinding(binding, source)
        if (value && frameworks.some(([of]) => of === value.of)) globals.set(binding.name, value)
      }
    }
    return globals
  }
}

/** A value as the keys of a table have it. */
export function keyOf({ of, path }: Value): string {
  return `${of}#${path.join('.')}`
}

function memberAt(value: Value | null, path: readonly string[] | null): Value | null {
  return value && path && { of: value.of, path: [...value.path, ...path] }
}

/** The members by which a pattern reaches an identifier; null if that is none. */
function pathTo(pattern: Node, identifier: Identifier): readonly string[] | null {
  if (pattern === identifier) return []
  if (pattern.type === 'AssignmentPattern') return pathTo(pattern.left, identifier)
  if (pattern.type !== 'ObjectPattern') return null
  for (const each of pattern.properties) {
    if (each.type !== 'Property' || each.computed) continue
    const path = pathTo(each.value, identifier)
    const name = nameOf(each.key)
    if (path && name !== null) return [name, ...path]
  }
  return null
}

function definedBy({ binding, source }: { binding: Binding; source: Source }): Definition | null {
  const { declaration, identifier } = binding
  if (declaration.type === 'FunctionDeclaration') return { node: declaration, source }
  if (declaration.type !== 'VariableDeclarator' || declaration.id !== identifier) return null
  return declaration.init && { node: declaration.init, source }
}

/** The name in a file that a statement exports by another. */
function exportedLocal(statement: Node, name: string): Node | null {
  if (statement.type === 'ExportDefaultDeclaration' && name === 'default') {
    return statement.declaration
  }
  if (statement.type !== 'ExportNamedDeclaration') return null
  return statement.specifiers.find(({ exported }) => nameOf(exported) === name)?.local ?? null
}

function moduleOf(specifier: Node, { program }: Source): string | null {
  const declaration = program.body.find(
    each => each.type === 'ImportDeclaration' && each.specifiers.some(one => one === specifier),
  )
  return declaration?.type === 'ImportDeclaration' ? declaration.source.value : null
}

/** The names that a file declares and exports in one statement. */
function exportedBindings({ program }: Source, { bindings }: Scopes): readonly Binding[] {
  const exported = new Set<Node>()
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue
    exported.add(statement.declaration)
    if (statement.declaration.type === 'VariableDeclaration') {
      for (const each of statement.declaration.declarations) exported.add(each)
    }
  }
  return bindings.filter(({ declaration }) => exported.has(declaration))
}
