/**
 * Whether a client prefers a page to data: a person at a browser, not a program. A client that accepts anything, as
 * most programs do, or that states nothing, counts as a program.
 */
export function prefersPage(accept: string | null): boolean {
  const ranges = (accept ?? '').split(',').map(readRange)
  const page = bestFor('text/html', ranges)
  const data = bestFor('application/json', ranges)
  if (!page || page.quality === 0) return false
  if (!data || page.quality !== data.quality) return page.quality > (data?.quality ?? 0)
  // As welcome as each other: whichever was named, and if both were, the first.
  return page.specificity === data.specificity
    ? page.specificity > 0 && ranges.indexOf(page) < ranges.indexOf(data)
    : page.specificity > data.specificity
}

interface Range {
  readonly type: string
  readonly quality: number
  /** 0 for anything, 1 for anything of one kind, 2 for one type. */
  readonly specificity: number
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const weight = parameters.find(parameter => /^q\s*=/.test(parameter))
  const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1))
  const specificity = type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0, specificity }
}

/** The range that speaks of a type, the most specific first: RFC 9110 §12.5.1. */
function bestFor(type: string, ranges: readonly Range[]): Range | undefined {
  const covering = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']
  return covering.map(each => ranges.find(range => range.type === each)).find(Boolean)
}
