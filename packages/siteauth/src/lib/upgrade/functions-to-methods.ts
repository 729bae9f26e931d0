import type { CallExpression, Node } from 'oxc-parser'
import type { Binding } from '../code/scopes.ts'
import { nameOf } from '../code/source.ts'
import { renameOptions, renameOptionsWithin } from './change-calls.ts'
import type { FileEdit } from './file-edit.ts'
import type { FunctionToMethod, NameTable } from './name-table.ts'
import { spreadNode } from './rebuild.ts'
import type { Values } from './values.ts'

/** Functions that took the configuration become methods of an instance that is made of it: `endUser(id, config)` → `auth.users.endSessions(id)`. */
export function replaceFunctions(file: FileEdit, { functions }: NameTable, values: Values): void {
  const instances = new Instances(file, values)
  for (const binding of file.scopes.bindings) {
    const value = values.valueOfBinding(binding, file.source)
    const row =
      value?.path.length === 1
        ? functions.find(({ from, name }) => from === value.of && name === value.path[0])
        : undefined
    if (row) replaceFunction(file, binding, row, instances)
  }
  for (const node of file.nodes()) {
    // Of all that an entry exports: `import * as siteauth from …`.
    const value = node.type === 'MemberExpression' ? values.valueOf(node, file.source) : null
    const row =
      value && functions.find(each => each.from === value.of && each.name === value.path.join('.'))
    if (row?.to)
      file.remark(node, `${row.name} is a method now: ${row.instance}(config).${row.to}.`)
  }
  instances.declare()
}

function replaceFunction(
  file: FileEdit,
  binding: Binding,
  row: FunctionToMethod,
  instances: Instances,
): void {
  let left = 0
  for (const use of binding.references) {
    const call = file.parentOf(use)
    if (call?.type !== 'CallExpression' || call.callee !== use) left++
    else if (!replaceCall(file, call, { binding, row, instances })) left++
  }
  if (row.to === null) return
  if (left > 0) {
    file.remark(
      binding.identifier,
      `${row.name} is a method now: ${row.instance}(config).${row.to}.`,
    )
  } else instances.forget(binding)
}

interface Replacing {
  readonly binding: Binding
  readonly row: FunctionToMethod
  readonly instances: Instances
}

/** Whether a call could be replaced. */
function replaceCall(
  file: FileEdit,
  call: CallExpression,
  { binding, row, instances }: Replacing,
): boolean {
  const { arguments: given } = call
  const config = given[row.config]
  if (!config || given.some(each => each.type === 'SpreadElement')) return row.to === null
  const isGone = (each: Node) =>
    (row.to !== null && each === config) || (row.dropped ?? []).some(index => given[index] === each)
  if (row.to !== null) {
    const { callee } = call
    file.changed.overwrite(
      callee.start,
      callee.end,
      `${instances.for(config, row, binding)}.${row.to}`,
    )
  }
  if (row.isValue) {
    file.changed.remove(call.callee.end, call.end)
    return true
  }
  const left = given.filter(each => !isGone(each))
  for (const each of left) {
    renameOptions(file, each, row)
    if (row.spread) renameOptionsWithin(file, each, row)
  }
  const object = row.spread && left[row.spread.index]
  if (row.spread && object) spreadNode(file, call, object, row.spread.order)
  file.removeItems(given, isGone)
  for (const each of given) if (isGone(each)) prefixUnused(file, each)
  return true
}

/** A parameter that was only passed on is not used any more: `res` → `_res`. */
function prefixUnused(file: FileEdit, node: Node): void {
  const binding = node.type === 'Identifier' ? file.scopes.bindingOf(node) : null
  if (!binding || binding.declaration !== binding.identifier) return
  const { references, identifier, name } = binding
  if (references.length > 1 || name.startsWith('_') || file.scopes.mentions(`_${name}`)) return
  file.changed.appendLeft(identifier.start, '_')
}

/** The instances of a file, one for each configuration. */
class Instances {
  readonly #file: FileEdit
  readonly #values: Values
  readonly #made = new Map<Binding, string>()
  // Rather than required.
  #isImported = false
  #factory: { readonly name: string; readonly module: string } | null = null

  constructor(file: FileEdit, values: Values) {
    this.#file = file
    this.#values = values
  }

  /** What stands for the instance of a configuration: a name if the configuration has one at the top of the file. */
  for(config: Node, { instance, from }: FunctionToMethod, of: Binding): string {
    this.#factory = { name: instance, module: from }
    this.#isImported ||= of.declaration.type === 'ImportSpecifier'
    // A function that is loaded within another has the factory only there.
    if (!this.#isAtTop(of)) return `${instance}(${this.#file.textOf(config)})`
    const binding = config.type === 'Identifier' ? this.#file.scopes.bindingOf(config) : null
    if (!binding || !this.#isAtTop(binding)) return `${instance}(${this.#file.textOf(config)})`
    const name = this.#made.get(binding) ?? this.#existing(binding, from)
    if (name) return name
    const chosen = this.#file.take(
      ['auth', 'siteAuth'].find(each => this.#file.isFree(each)) ?? 'authInstance',
    )
    this.#made.set(binding, chosen)
    return chosen
  }

  /** An instance that the file makes of the same configuration already. */
  #existing(config: Binding, of: string): string | null {
    const found = this.#file.scopes.bindings.find(({ declaration, name }) => {
      if (declaration.type !== 'VariableDeclarator' || nameOf(declaration.id) !== name) return false
      const { init } = declaration
      if (init?.type !== 'CallExpression' || init.arguments[0]?.type !== 'Identifier') return false
      const made = this.#values.valueOf(init, this.#file.source)
      const isInstance = made?.path.length === 0 && of.endsWith(`/${made.of}`)
      return isInstance && this.#file.scopes.bindingOf(init.arguments[0]) === config
    })
    return found?.name ?? null
  }

  #isAtTop({ declaration }: Binding): boolean {
    if (/^Import/.test(declaration.type)) return true
    return this.#statementOf(declaration) !== null
  }

  /** The statement at the top of the file that a declaration is in. */
  #statementOf(declaration: Node): Node | null {
    const statement = this.#file.parentOf(declaration)
    const parent = statement && this.#file.parentOf(statement)
    if (parent?.type === 'Program') return statement
    const isExported =
      parent?.type === 'ExportNamedDeclaration' && this.#file.parentOf(parent)?.type === 'Program'
    return isExported ? parent : null
  }

  /** Imports a function no longer. */
  forget({ declaration, identifier }: Binding): void {
    const { name } = identifier
    const parent = this.#file.parentOf(declaration)
    if (parent?.type === 'ImportDeclaration') {
      this.#file.removeImport(parent, name)
      return
    }
    const property = this.#file.parentOf(identifier)
    const pattern = property && this.#file.parentOf(property)
    if (property?.type !== 'Property' || pattern?.type !== 'ObjectPattern') return
    if (this.#factory) this.#file.replaceInPattern(pattern, property, this.#factory.name)
  }

  /** Declares the instances, and imports what makes them. */
  declare(): void {
    const file = this.#file
    if (!this.#factory) return
    const { name: factory, module } = this.#factory
    if (this.#isImported) file.addImport(factory, module)
    for (const [binding, name] of this.#made) {
      const text = `const ${name} = ${factory}(${binding.name})`
      file.addStatement(text, this.#statementOf(binding.declaration))
    }
  }
}
