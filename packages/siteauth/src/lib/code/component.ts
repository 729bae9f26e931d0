import { parseSource, type Source } from './source.ts'

/** Whether a file is a component of Vue, Svelte or Astro, whose code is only a part of it. */
export function isComponent(file: string): boolean {
  return COMPONENT.test(file)
}

const COMPONENT = /\.(?:vue|svelte|astro)$/

/** A component with the code that it contains; null if that cannot be parsed. Positions are those of the whole file. */
export function parseComponent(file: string, text: string): Source | null {
  const code = codeIn(file, text)
  const extension = /<script[^>]*\blang=["'](?:tsx|jsx)["']/.test(text) ? 'tsx' : 'ts'
  // The code of a page of Astro may return a response, though it is in no function.
  const source = parseSource(`${file}.${extension}`, code, { returns: file.endsWith('.astro') })
  return source && { ...source, file, text }
}

/** The part of a component that is no code of a module: its template and its styles. */
export function templateOf(file: string, text: string): string {
  const code = codeIn(file, text)
  return text.replaceAll(/[^\r\n]/g, (sign, index: number) => (code[index] === sign ? ' ' : sign))
}

/** The text with spaces in place of everything but code, so that every position stays the same. */
function codeIn(file: string, text: string): string {
  let code = ''
  let end = 0
  const blank = (part: string) => part.replaceAll(/[^\r\n]/g, ' ')
  for (const { start, stop } of partsOf(file, text)) {
    code += blank(text.slice(end, start)) + text.slice(start, stop)
    end = stop
  }
  return code + blank(text.slice(end))
}

interface Part {
  readonly start: number
  readonly stop: number
}

function partsOf(file: string, text: string): readonly Part[] {
  if (!file.endsWith('.astro')) return scripts(text)
  const top = frontmatter(text)
  const end = top[0]?.stop ?? 0
  return [...top, ...scripts(text).filter(({ start }) => start > end)]
}

/** The code at the top of a page of Astro. */
function frontmatter(text: string): readonly Part[] {
  const [whole, fence = '', inner = ''] = /^(\s*---)([\s\S]*?)\r?\n---/.exec(text) ?? []
  return whole === undefined ? [] : [{ start: fence.length, stop: fence.length + inner.length }]
}

function scripts(text: string): readonly Part[] {
  return [...text.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script>/g)].flatMap(match => {
    const [, open = '', inner = ''] = match
    // Data for search engines, such as JSON, is no code.
    if (/\btype=["'](?!module\b|(?:text|application)\/(?:java|type)script\b)/.test(open)) return []
    const start = match.index + open.length
    return [{ start, stop: start + inner.length }]
  })
}
