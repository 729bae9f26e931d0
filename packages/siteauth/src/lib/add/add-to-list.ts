import MagicString from 'magic-string'
import type { ArrayExpression } from 'oxc-parser'
import { nameOf, type Source, visit } from '../code/source.ts'
import type { Sources } from '../code/sources.ts'
import type { ProviderFacts } from './provider-facts.ts'

/** A file with a list of providers. */
export interface ListOfProviders {
  readonly source: Source
  readonly list: ArrayExpression
}

/** The list of providers of a project: that of a shared configuration first, then that of `auth`. */
export function findList(sources: Sources): ListOfProviders | null {
  const found = sources.files.flatMap(file => {
    const source = sources.get(file)
    if (!source || !/@siteauth\/(?:core|next|express)/.test(source.text)) return []
    const lists: ListOfProviders[] = []
    visit(source.program, node => {
      if (node.type === 'Property' && nameOf(node.key) === 'providers') {
        if (node.value.type === 'ArrayExpression') lists.push({ source, list: node.value })
      }
      if (node.type === 'VariableDeclarator' && node.init?.type === 'ArrayExpression') {
        if (node.id.type === 'Identifier' && node.id.name === 'providers') {
          lists.push({ source, list: node.init })
        }
      }
      return undefined
    })
    return lists
  })
  const rank = ({ source: { file } }: ListOfProviders) =>
    /auth\.config\./.test(file) ? 0 : /(?:^|\/)auth\./.test(file) ? 1 : 2
  return found.sort((a, b) => rank(a) - rank(b))[0] ?? null
}

/** The text of a file with one more provider imported and listed; null if it has that one already. */
export function addToList(
  { source, list }: ListOfProviders,
  provider: ProviderFacts,
): string | null {
  const { text, imports, program } = source
  const isThere = [...imports.values()].some(({ module }) =>
    module.endsWith(`/providers/${provider.module}`),
  )
  if (isThere) return null
  const changed = new MagicString(text)
  const style = styleOf(source)
  const statement = style.requires
    ? `const ${provider.name} = require(${style.quote}${style.from}/${provider.module}${style.quote}).default${style.end}`
    : `import ${provider.name} from ${style.quote}${style.from}/${provider.module}${style.quote}${style.end}`
  const last = program.body.findLast(each =>
    style.requires
      ? text.slice(each.start, each.end).includes('require(')
      : each.type === 'ImportDeclaration',
  )
  if (last) changed.appendLeft(last.end, `\n${statement}`)
  else changed.prepend(`${statement}\n`)
  addEntry(changed, text, list, provider.name)
  return changed.toString()
}

function addEntry(
  changed: MagicString,
  text: string,
  { elements, start, end }: ArrayExpression,
  name: string,
): void {
  const last = elements.at(-1)
  if (!last) {
    changed.overwrite(start, end, `[${name}]`)
    return
  }
  const tail = text.slice(last.end, end - 1)
  const isSpread = /\n/.test(text.slice(start, last.start))
  const [indent] = /[ \t]*$/.exec(text.slice(0, last.start)) ?? ['']
  const hasComma = tail.includes(',')
  if (!isSpread) {
    changed.appendLeft(last.end, `, ${name}`)
    return
  }
  const at = hasComma ? last.end + tail.indexOf(',') + 1 : last.end
  changed.appendLeft(at, `${hasComma ? '' : ','}\n${indent}${name}${hasComma ? ',' : ''}`)
}

/** How the file writes its imports. */
interface ImportStyle {
  readonly requires: boolean
  readonly quote: string
  readonly end: ';' | ''
  readonly from: string
}

function styleOf({ text, file }: Source): ImportStyle {
  const [, from] = /['"](@siteauth\/\w+\/providers)\//.exec(text) ?? []
  const [, own = 'core'] = /['"]@siteauth\/(next|core)\b/.exec(text) ?? []
  const requires =
    !/^import\b/m.test(text) && /\brequire\(/.test(text) && !/\.[cm]?tsx?$/.test(file)
  const [, quote = "'"] = /(?:from|require\() ?(['"])/.exec(text) ?? []
  const end = /(?:from ['"][^'"]+['"]|require\(.*\).*);$/m.test(text) ? ';' : ''
  return { requires, quote, end, from: from ?? `@siteauth/${own}/providers` }
}
