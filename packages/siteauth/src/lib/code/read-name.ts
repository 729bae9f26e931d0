import type { Node } from 'oxc-parser'
import { type Reading, someFunction, UNKNOWN } from './reading.ts'
import type { Source } from './source.ts'

/** The value that a name stands for in a file. */
export function readName(name: string, within: Source, reading: Reading): unknown {
  if (name === 'undefined') return undefined
  const imported = within.imports.get(name)
  if (!imported) return readDeclared(name, within, reading)
  const other = reading.sources.resolve(within.file, imported.module)
  if (other) return readExport(imported.name, other, reading)
  return reading.meanings.imported(imported.module, imported.name)
}

function readDeclared(name: string, within: Source, reading: Reading): unknown {
  for (const statement of within.program.body) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === name) {
      return someFunction
    }
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue
    const found = declaration.declarations.find(
      ({ id }) => id.type === 'Identifier' && id.name === name,
    )
    if (found) return once(found, reading, () => reading.read(found.init, within))
  }
  return UNKNOWN
}

function readExport(name: string, within: Source, reading: Reading): unknown {
  for (const statement of within.program.body) {
    if (statement.type === 'ExportDefaultDeclaration' && name === 'default') {
      return once(statement, reading, () => reading.read(statement.declaration, within))
    }
    if (statement.type === 'ExpressionStatement') {
      const { expression } = statement
      if (expression.type !== 'AssignmentExpression') continue
      const target = within.text.slice(expression.left.start, expression.left.end)
      if (target === 'module.exports' || target === `exports.${name}`) {
        const value = once(statement, reading, () => reading.read(expression.right, within))
        if (target !== 'module.exports' || name === 'default') return value
        return typeof value === 'object' && value !== null
          ? (Reflect.get(value, name) ?? UNKNOWN)
          : UNKNOWN
      }
    }
  }
  return readDeclared(name, within, reading)
}

// Modules may import each other, and then a name would never come to an end.
function once(declaration: Node, { seen }: Reading, act: () => unknown): unknown {
  if (seen.has(declaration)) return UNKNOWN
  seen.add(declaration)
  const value = act()
  seen.delete(declaration)
  return value
}
