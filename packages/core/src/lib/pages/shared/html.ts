import { escapeHtml } from '../../branding/escape-html.ts'
import { type Blanks, blankFor } from '../../translations/fill-text.ts'

const markup: unique symbol = Symbol('markup')

/** A piece of HTML in which every value is escaped. */
export interface Html {
  readonly [markup]: string
}

type Piece = Html | string | number | null | undefined | false | readonly Piece[]

/** Writes HTML. Values are escaped; `Html` is taken as it is; absent ones leave nothing. */
export function html(texts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  let whole = texts[0] ?? ''
  for (const [index, value] of values.entries()) whole += textOf(value) + (texts[index + 1] ?? '')
  return { [markup]: whole }
}

/** Attributes of an element. Names that HTML does not allow are left out. */
export function attributes(
  members: Readonly<Record<string, string | number | boolean | null | undefined>>,
): Html {
  const written = Object.entries(members).flatMap(([name, value]) => {
    // No `on…`: what is configured describes a field, it does not run.
    if (!/^[a-z][a-z-]*$/i.test(name) || /^on/i.test(name)) return []
    if (value === null || value === undefined || value === false) return []
    return value === true ? [` ${name}`] : [` ${name}="${escapeHtml(String(value))}"`]
  })
  return { [markup]: written.join('') }
}

/** CSS that was checked: nothing in it can end the element that it stands in. */
export function styleElement(css: string): Html {
  if (css.includes('<')) throw new TypeError('a style sheet must not contain "<"')
  return { [markup]: `<style>${css}</style>` }
}

/** The text of a page. */
export function render(document: Html): string {
  return document[markup]
}

function textOf(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return escapeHtml(String(piece))
  return isList(piece) ? piece.map(textOf).join('') : piece[markup]
}

function isList(piece: Html | readonly Piece[]): piece is readonly Piece[] {
  return Array.isArray(piece)
}

/**
 * A text with its blanks filled in. A value may be written in the other direction than the text around it, and must
 * not turn it round.
 */
export function fill(text: string, blanks: Blanks): Html {
  const [first = '', ...rest] = text.split('{')
  return html`${first}${rest.map(piece => {
    const end = piece.indexOf('}')
    const value = blankFor(blanks, piece.slice(0, Math.max(end, 0)))
    return value === undefined ? `{${piece}` : [html`<bdi>${value}</bdi>`, piece.slice(end + 1)]
  })}`
}
