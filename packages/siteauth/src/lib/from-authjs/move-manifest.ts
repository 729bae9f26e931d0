import MagicString from 'magic-string'
import type { ObjectExpression } from 'oxc-parser'
import { nameOf, parseSource } from '../code/source.ts'
import { newModuleName } from './module-names.ts'

/** Versions of adapters that go on from those of v4. */
const ADAPTER_VERSIONS: Readonly<Record<string, string>> = {
  '@auth/prisma-adapter': '^2.11.3',
  '@auth/drizzle-adapter': '^1.11.3',
  '@auth/pg-adapter': '^1.11.3',
  '@auth/kysely-adapter': '^1.11.2',
  '@auth/dynamodb-adapter': '^2.11.3',
  '@auth/unstorage-adapter': '^2.11.2',
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** A package.json with packages of Auth.js replaced where they are written. Others keep their versions. */
export function moveManifest(text: string, version: string): string {
  // JSON is an expression, once it is in parentheses: then it can be changed in its place.
  const before = '('
  const source = parseSource('package.ts', `${before}${text.replace(/^\uFEFF/, ' ')}\n)`)
  const [statement] = source?.program.body ?? []
  const manifest = statement?.type === 'ExpressionStatement' ? statement.expression : null
  const inner = manifest?.type === 'ParenthesizedExpression' ? manifest.expression : manifest
  if (inner?.type !== 'ObjectExpression') return text
  const changed = new MagicString(text)
  for (const section of inner.properties) {
    if (section.type !== 'Property' || section.value.type !== 'ObjectExpression') continue
    if (SECTIONS.includes(nameOf(section.key) ?? '')) {
      movePackages(changed, section.value, version, before.length)
    }
  }
  return changed.toString()
}

function movePackages(
  changed: MagicString,
  { properties }: ObjectExpression,
  version: string,
  offset: number,
): void {
  const there = properties.flatMap(each =>
    each.type === 'Property' ? (nameOf(each.key) ?? []) : [],
  )
  for (const [index, each] of properties.entries()) {
    const renamed = each.type === 'Property' ? newModuleName(nameOf(each.key) ?? '') : null
    if (!renamed) continue
    if (there.includes(renamed)) {
      // Somebody has installed it already. A list has a comma fewer than entries.
      const [next, previous] = [properties[index + 1], properties[index - 1]]
      const start = next || !previous ? each.start : previous.end
      changed.remove(start - offset, (next ? next.start : each.end) - offset)
      continue
    }
    const isOurs = renamed.startsWith('@siteauth/')
    const range = isOurs ? `^${version}` : (ADAPTER_VERSIONS[renamed] ?? 'latest')
    changed.overwrite(each.start - offset, each.end - offset, `"${renamed}": "${range}"`)
  }
}

/** A tsconfig.json, which may have comments, with names of packages replaced where it has any. */
export function moveTsconfig(text: string): string {
  return text.replaceAll(
    /"((?:next-auth|@auth\/(?:core|express))(?:\/[\w./-]*)?)"/g,
    (whole, name) => {
      const renamed = newModuleName(String(name))
      return renamed ? `"${renamed}"` : String(whole)
    },
  )
}
