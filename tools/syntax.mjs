// TypeScript 7 has no API to parse with. This is what we ask of oxc-parser instead.
import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

const parsed = new Map()

/** A TypeScript file's text, syntax tree and comments. Parsed once for each text: several checks read the same files. */
export function parseFile(file) {
  const text = readFileSync(file, 'utf8')
  const known = parsed.get(file)
  if (known?.text === text) return known
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0].message}`)
  const result = { text, program, comments }
  parsed.set(file, result)
  return result
}

/** Every module a file names, types included, as the string literals it wrote. */
export function moduleLiterals(program) {
  const literals = []
  visit(program, node => {
    if (NAMES_A_MODULE.has(node.type) && typeof node.source?.value === 'string') {
      literals.push(node.source)
    }
  })
  return literals
}

/** Calls `see` for a node and all below it; `see` returns false to go no deeper. */
export function visit(node, see) {
  if (see(node) === false) return
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') visit(child, see)
    }
  }
}

const NAMES_A_MODULE = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])
