/** Longer headers than people's browsers send are not read to their end. */
const HEADER_LIMIT = 1000

/**
 * The language that a visitor prefers among the available ones, from an `Accept-Language` header; null if none of
 * them is available. A visitor who requests a regional variant is content with the language itself.
 */
export function chooseLanguage(header: string | null, available: readonly string[]): string | null {
  for (const wanted of preferences(header ?? '')) {
    for (const name of widen(wanted)) {
      const found = available.find(tag => tag.toLowerCase() === name)
      if (found) return found
    }
  }
  return null
}

/** The tags of a header, the dearest first. */
function preferences(header: string): readonly string[] {
  return header
    .slice(0, HEADER_LIMIT)
    .split(',')
    .map(entry => {
      const [tag = '', ...parameters] = entry.split(';').map(part => part.trim().toLowerCase())
      const quality = parameters.find(each => each.startsWith('q='))?.slice(2)
      return { tag, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => /^[a-z]{2,3}(?:-[a-z0-9]+)*$/.test(tag) && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}

/** `zh-hant-hk`, `zh-hant`, `zh`: from the narrowest to the widest. */
function* widen(tag: string): Generator<string> {
  const parts = tag.split('-')
  for (let length = parts.length; length > 0; length -= 1) {
    yield parts.slice(0, length).join('-')
    // Which script Chinese is written in depends on where, unless it is said.
    if (length === 2 && parts[0] === 'zh' && TRADITIONAL.includes(parts[1] ?? '')) yield 'zh-hant'
  }
  if (parts[0] === 'zh') yield 'zh-hans'
}

const TRADITIONAL: readonly string[] = ['tw', 'hk', 'mo']
