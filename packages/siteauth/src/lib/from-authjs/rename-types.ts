import MagicString from 'magic-string'
import type { Node } from 'oxc-parser'
import { declares, importsIn } from '../code/edit-imports.ts'
import { nameOf, type Source, visit } from '../code/source.ts'

const OLD_TYPES: Readonly<Record<string, string>> = {
  NextAuthOptions: 'NextAuthConfig',
  AuthOptions: 'NextAuthConfig',
}

/** A file with the types of v4 under their new names. */
export function renameTypes(source: Source): string {
  const changed = new MagicString(source.text)
  renameImported(changed, source)
  renamePassedOn(changed, source)
  renameInComments(changed, source)
  return changed.toString()
}

function renameImported(changed: MagicString, source: Source): void {
  const taken = new Set<string>()
  for (const declaration of importsIn(source)) {
    if (declaration.source.value !== 'next-auth') continue
    for (const each of declaration.specifiers) {
      if (each.type !== 'ImportSpecifier') continue
      const old = nameOf(each.imported) ?? ''
      const renamed = OLD_TYPES[old]
      if (!renamed) continue
      if (each.local.name !== old) {
        changed.overwrite(each.imported.start, each.imported.end, renamed)
        continue
      }
      const uses = usesOf(source, old)
      // It keeps its name here if others know it by that, or if the new one is taken.
      const isFree = uses !== null && !taken.has(renamed) && !declares(source, renamed)
      const name = isFree ? renamed : `${renamed} as ${old}`
      changed.overwrite(each.imported.start, each.imported.end, name)
      if (!isFree) continue
      taken.add(renamed)
      for (const use of uses) changed.overwrite(use.start, use.end, renamed)
    }
  }
}

/** Where a type is used as one; null if its name is used in another way. */
function usesOf({ program }: Source, name: string): readonly Node[] | null {
  const uses: Node[] = []
  let isOtherwise = false
  visit(program, (node, parent) => {
    if (node.type === 'ImportDeclaration') return false
    if (node.type !== 'Identifier' || node.name !== name) return undefined
    const isType =
      parent?.type === 'TSTypeReference' ||
      parent?.type === 'TSInterfaceHeritage' ||
      parent?.type === 'TSClassImplements'
    if (isType) uses.push(node)
    else if (parent?.type === 'ExportSpecifier') isOtherwise = true
    return undefined
  })
  return isOtherwise ? null : uses
}

/** `export type { AuthOptions } from 'next-auth'`: others know it by its old name. */
function renamePassedOn(changed: MagicString, { program }: Source): void {
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    if (statement.source?.value !== 'next-auth') continue
    for (const { local, exported } of statement.specifiers) {
      const renamed = OLD_TYPES[nameOf(local) ?? '']
      if (!renamed) continue
      const isAlone = local.start === exported.start
      changed.overwrite(
        local.start,
        local.end,
        isAlone ? `${renamed} as ${nameOf(local)}` : renamed,
      )
    }
  }
}

const IN_COMMENT = /(?<=import\(\s*['"]next-auth['"]\s*\)\.)(?:NextAuthOptions|AuthOptions)\b/g

/** `import('next-auth').NextAuthOptions`, which is how JavaScript names types, in comments. */
function renameInComments(changed: MagicString, { text }: Source): void {
  for (const { 0: name, index } of text.matchAll(IN_COMMENT)) {
    changed.overwrite(index, index + name.length, OLD_TYPES[name] ?? name)
  }
}
