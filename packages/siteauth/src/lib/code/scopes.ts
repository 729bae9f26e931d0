import type { Node } from 'oxc-parser'
import { childrenOf, type Source } from './source.ts'

/** A name that a file declares. */
export interface Binding {
  readonly name: string
  /** The identifier that declares it. */
  readonly identifier: Identifier
  /** The declarator, parameter, import or declaration that it is in. */
  readonly declaration: Node
  /** Where the name is used. */
  readonly references: readonly Identifier[]
}

export type Identifier = Extract<Node, { type: 'Identifier' }>

/** The names of a file, and what each use of them refers to. */
export interface Scopes {
  readonly bindings: readonly Binding[]
  /** What an identifier refers to; null if the file does not declare it. */
  bindingOf(identifier: Node): Binding | null
  /** Whether any scope of the file declares a name, or uses one that it does not declare. */
  mentions(name: string): boolean
}

interface Scope {
  readonly parent: Scope | null
  readonly isFunction: boolean
  readonly names: Map<string, MutableBinding>
}

interface MutableBinding extends Binding {
  readonly references: Identifier[]
}

/** Finds the declarations of a file, and the uses of each. */
export function readScopes({ program }: Pick<Source, 'program'>): Scopes {
  const scopes = new Map<Node, Scope>()
  const bindings: MutableBinding[] = []
  const top: Scope = { parent: null, isFunction: true, names: new Map() }
  scopes.set(program, top)
  declareBelow(program, top, { scopes, bindings })
  const resolved = new Map<Node, MutableBinding>()
  const names = new Set(bindings.map(({ name }) => name))
  resolveBelow(
    program,
    null,
    top,
    (identifier, scope) => {
      names.add(identifier.name)
      const binding = lookUp(scope, identifier.name)
      if (!binding || binding.identifier === identifier) return
      resolved.set(identifier, binding)
      binding.references.push(identifier)
    },
    scopes,
  )
  return {
    bindings,
    bindingOf: identifier => resolved.get(identifier) ?? null,
    mentions: name => names.has(name),
  }
}

interface Declaring {
  readonly scopes: Map<Node, Scope>
  readonly bindings: MutableBinding[]
}

function declareBelow(node: Node, scope: Scope, declaring: Declaring): void {
  for (const child of childrenOf(node)) {
    const inner = opensScope(child) ? openScope(child, scope, declaring) : scope
    declareIn(child, scope, inner, declaring)
    declareBelow(child, inner, declaring)
  }
}

function openScope(node: Node, parent: Scope, { scopes }: Declaring): Scope {
  const scope: Scope = { parent, isFunction: isFunctionLike(node), names: new Map() }
  scopes.set(node, scope)
  return scope
}

/** Declares the names of a node: a function's own name belongs to the scope around it, its parameters to its own. */
function declareIn(node: Node, around: Scope, inner: Scope, { bindings }: Declaring): void {
  const add = (scope: Scope, pattern: Node | null | undefined, declaration: Node) => {
    for (const identifier of identifiersIn(pattern)) {
      const { name } = identifier
      if (scope.names.has(name)) continue
      const binding = { name, identifier, declaration, references: [] }
      scope.names.set(name, binding)
      bindings.push(binding)
    }
  }
  if (node.type === 'VariableDeclaration') {
    const scope = node.kind === 'var' ? functionScope(around) : around
    for (const each of node.declarations) add(scope, each.id, each)
  }
  if (isFunctionLike(node)) {
    const isDeclaration = node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction'
    if ('id' in node) add(isDeclaration ? around : inner, node.id, node)
    for (const each of node.params) add(inner, each, each)
  }
  if (node.type === 'ClassDeclaration' || node.type === 'TSEnumDeclaration')
    add(around, node.id, node)
  if (node.type === 'ClassExpression') add(inner, node.id, node)
  if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration') {
    add(around, node.id, node)
  }
  if (node.type === 'CatchClause') add(inner, node.param, node)
  if (node.type === 'ImportDeclaration')
    for (const each of node.specifiers) add(around, each.local, each)
}

function functionScope(scope: Scope): Scope {
  return scope.isFunction || !scope.parent ? scope : functionScope(scope.parent)
}

/** The identifiers that a pattern declares. */
function identifiersIn(pattern: Node | null | undefined): readonly Identifier[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return pattern.properties.flatMap(each =>
        identifiersIn(each.type === 'Property' ? each.value : each.argument),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap(each => identifiersIn(each))
    case 'AssignmentPattern':
      return identifiersIn(pattern.left)
    case 'RestElement':
      return identifiersIn(pattern.argument)
    case 'TSParameterProperty':
      return identifiersIn(pattern.parameter)
    default:
      return []
  }
}

type FunctionLike = Extract<
  Node,
  {
    type:
      | 'FunctionDeclaration'
      | 'FunctionExpression'
      | 'ArrowFunctionExpression'
      | 'TSDeclareFunction'
      | 'TSEmptyBodyFunctionExpression'
      | 'TSFunctionType'
      | 'TSConstructorType'
      | 'TSMethodSignature'
      | 'TSCallSignatureDeclaration'
      | 'TSConstructSignatureDeclaration'
  }
>

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSDeclareFunction',
  'TSEmptyBodyFunctionExpression',
  'TSFunctionType',
  'TSConstructorType',
  'TSMethodSignature',
  'TSCallSignatureDeclaration',
  'TSConstructSignatureDeclaration',
])

function isFunctionLike(node: Node): node is FunctionLike {
  return FUNCTIONS.has(node.type)
}

const BLOCKS: ReadonlySet<string> = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'ClassExpression',
  'StaticBlock',
])

function opensScope(node: Node): boolean {
  return isFunctionLike(node) || BLOCKS.has(node.type)
}

function resolveBelow(
  node: Node,
  parent: Node | null,
  scope: Scope,
  see: (identifier: Identifier, scope: Scope) => void,
  scopes: ReadonlyMap<Node, Scope>,
): void {
  // `export { a } from 'b'` names members of another module.
  if (node.type === 'ExportNamedDeclaration' && node.source) return
  if (node.type === 'Identifier' && (parent === null || isUse(node, parent))) see(node, scope)
  const inner = scopes.get(node) ?? scope
  for (const child of childrenOf(node)) resolveBelow(child, node, inner, see, scopes)
}

/** Whether an identifier stands for a value or a type, rather than naming a member. */
function isUse(node: Identifier, parent: Node): boolean {
  switch (parent.type) {
    case 'MemberExpression':
      return parent.object === node || parent.computed
    case 'Property':
      // The key of a shorthand is a second node at the same place.
      return parent.value === node || parent.computed
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'TSAbstractMethodDefinition':
    case 'TSAbstractPropertyDefinition':
      return parent.key !== node || parent.computed
    case 'TSQualifiedName':
      return parent.left === node
    case 'ImportSpecifier':
      return parent.local === node
    case 'ExportSpecifier':
      return parent.local === node
    case 'ExportAllDeclaration':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
    case 'TSNamedTupleMember':
    case 'TSEnumMember':
    case 'TSModuleDeclaration':
      return false
    default:
      return true
  }
}

function lookUp(scope: Scope | null, name: string): MutableBinding | null {
  return scope ? (scope.names.get(name) ?? lookUp(scope.parent, name)) : null
}
