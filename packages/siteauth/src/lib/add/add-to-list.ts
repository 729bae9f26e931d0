import MagicString from 'magic-string'
import type { ArrayExpression, Node } from 'oxc-parser'
import { declares, insertBehind, lineBreakOf } from '../code/edit-imports.ts'
import { isTest } from '../code/is-test.ts'
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
  const found = sources.files
    .filter(file => !isTest(file))
    .flatMap(file => {
      if (!/@siteauth\/(?:core|next|express)/.test(sources.text(file) ?? '')) return []
      const source = sources.get(file)
      if (!source) return []
      const lists: ListOfProviders[] = []
      visit(source.program, node => {
        const isOption = node.type === 'Property' && nameOf(node.key) === 'providers'
        const isVariable = node.type === 'VariableDeclarator' && nameOf(node.id) === 'providers'
        const list = isOption ? listIn(node.value) : isVariable ? listIn(node.init) : null
        if (list) lists.push({ source, list })
        return undefined
      })
      return lists
    })
  return found.sort((a, b) => rank(a) - rank(b))[0] ?? null
}

/** A list as it is, or with a word about its type. */
function listIn(node: Node | null): ArrayExpression | null {
  if (node?.type === 'TSSatisfiesExpression' || node?.type === 'TSAsExpression') {
    return listIn(node.expression)
  }
  return node?.type === 'ArrayExpression' ? node : null
}

/** The proxy has a list only because it has to have one. */
function rank({ source: { file } }: ListOfProviders): number {
  if (/(?:^|\/)(?:proxy|middleware)\./.test(file)) return 3
  return /auth\.config\./.test(file) ? 0 : /(?:^|\/)auth\./.test(file) ? 1 : 2
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
  // An icon or the like may have the name already.
  const name = declares(source, provider.name) ? `${provider.name}Provider` : provider.name
  const statement = style.requires
    ? `const ${name} = require(${style.quote}${style.from}/${provider.module}${style.quote}).default${style.end}`
    : `import ${name} from ${style.quote}${style.from}/${provider.module}${style.quote}${style.end}`
  const last = program.body.findLast(each =>
    style.requires
      ? text.slice(each.start, each.end).includes('require(')
      : each.type === 'ImportDeclaration',
  )
  insertBehind(changed, source, [statement], last)
  addEntry(changed, source, list, name)
  return changed.toString()
}

function addEntry(
  changed: MagicString,
  { text, comments }: Source,
  { elements, start, end }: ArrayExpression,
  name: string,
): void {
  const last = elements.at(-1)
  if (!last) {
    // Behind whatever is noted there.
    const [space = ''] = /\s*$/.exec(text.slice(start + 1, end - 1)) ?? []
    const isEmpty = space.length === end - start - 2
    const isOnLines = !isEmpty && space.includes('\n')
    const lines = `${space}  ${name},`
    changed.appendLeft(end - 1 - (isOnLines ? space.length : 0), isOnLines ? lines : name)
    return
  }
  const isSpread = /\n/.test(text.slice(start, last.start))
  if (!isSpread) {
    changed.appendLeft(last.end, `, ${name}`)
    return
  }
  const [indent] = /[ \t]*$/.exec(text.slice(0, last.start)) ?? ['']
  const lineBreak = lineBreakOf(text)
  // A comma in a comment is none.
  const inComment = (at: number) => comments.some(each => each.start <= at && at < each.end)
  let comma = text.indexOf(',', last.end)
  while (comma !== -1 && comma < end && inComment(comma)) comma = text.indexOf(',', comma + 1)
  const hasComma = comma !== -1 && comma < end
  if (!hasComma) changed.appendLeft(last.end, ',')
  const behind = hasComma ? comma + 1 : last.end
  const [rest = ''] =
    /^[ \t]*(?:\/\/.*|\/\*.*?\*\/[ \t]*)?(?=\r?$)/m.exec(text.slice(behind, end)) ?? []
  changed.appendLeft(behind + rest.length, `${lineBreak}${indent}${name}${hasComma ? ',' : ''}`)
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
