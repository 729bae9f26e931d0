import { posix } from 'node:path'
import type { Node } from 'oxc-parser'
import { nameOf, parseSource, readCode } from './source.ts'

/** The files, without their extensions, that a module may be which is not named by a relative path. */
export type Aliases = (module: string) => readonly string[]

/** The names that tsconfig.json or jsconfig.json gives to folders of a project. */
export function readAliases(folder: string): Aliases {
  const { baseUrl, paths } = compilerOptions(folder)
  const base = typeof baseUrl === 'string' ? baseUrl : null
  const patterns = Object.entries(Object(paths)).flatMap(([pattern, targets]) =>
    (Array.isArray(targets) ? targets : []).map(target => ({ pattern, target: String(target) })),
  )
  return module => [
    ...patterns.flatMap(({ pattern, target }) => {
      const [before = '', after] = pattern.split('*')
      if (after === undefined) return module === pattern ? [posix.join(base ?? '', target)] : []
      if (!module.startsWith(before) || !module.endsWith(after)) return []
      const middle = module.slice(before.length, module.length - after.length)
      return [
        posix.join(
          base ?? '',
          target.replace('*', () => middle),
        ),
      ]
    }),
    ...(base === null ? [] : [posix.join(base, module)]),
    // What create-next-app sets up, and a file that another one extends may say.
    ...(/^[@~]\//.test(module) ? [module.slice(2), `src/${module.slice(2)}`] : []),
  ]
}

/** Read as code, because it may have comments. */
function compilerOptions(folder: string): Readonly<Record<string, unknown>> {
  const text = ['tsconfig.json', 'jsconfig.json']
    .map(name => readCode(posix.join(folder, name)))
    .find(each => each !== null)
  const [statement] = parseSource('config.ts', `(${text}\n)`)?.program.body ?? []
  const value = statement?.type === 'ExpressionStatement' ? jsonOf(statement.expression) : null
  const { compilerOptions: found } = Object(value) as { compilerOptions?: unknown } // of any kind
  return Object(found) as Record<string, unknown>
}

function jsonOf(node: Node | null): unknown {
  if (node?.type === 'ParenthesizedExpression') return jsonOf(node.expression)
  if (node?.type === 'Literal') return node.value
  if (node?.type === 'ArrayExpression') return node.elements.map(jsonOf)
  if (node?.type !== 'ObjectExpression') return undefined
  return Object.fromEntries(
    node.properties.flatMap(each =>
      each.type === 'Property' ? [[nameOf(each.key) ?? '', jsonOf(each.value)]] : [],
    ),
  )
}
