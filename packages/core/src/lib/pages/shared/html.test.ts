import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../../test/any-text.ts'
import { attributes, html, render, styleElement } from './html.ts'

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** What a browser makes of a text. */
function readByBrowser(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => entities[entity] ?? '')
}

describe('a value in HTML', () => {
  it('is read by a browser exactly as it was given, and as nothing else', () => {
    const text = fc.oneof(
      anyText(),
      fc.string({ unit: fc.constantFrom(...'<>&"\'=/ ;#ax\n'.split('')) }),
    )
    fc.assert(
      fc.property(text, value => {
        const inText = render(html`<p>${value}</p>`).slice('<p>'.length, -'</p>'.length)
        const inAttribute = render(html`<a href="${value}">`).slice(
          '<a href="'.length,
          -'">'.length,
        )
        const asAttribute = render(attributes({ title: value })).slice(' title="'.length, -1)
        for (const written of [inText, inAttribute, asAttribute]) {
          expect(written).not.toMatch(/[<>"']/)
          expect(readByBrowser(written)).toBe(value)
        }
      }),
    )
  })

  it('is escaped once, not twice', () => {
    expect(render(html`${'&lt;'}`)).toBe('&amp;lt;')
    expect(render(html`${html`<b>${'<'}</b>`}`)).toBe('<b>&lt;</b>')
  })

  it('may be a number, a list, or absent', () => {
    expect(render(html`${0} ${['<', html`<br>`, [1]]} ${null}${undefined}${false}${''}.`)).toBe(
      '0 &lt;<br>1 .',
    )
  })

  it('is not taken for HTML because it looks like our own', () => {
    const forged = JSON.parse('{"markup":"<script>"}')
    expect(render(html`${forged}`)).not.toContain('<script>')
  })
})

describe('attributes', () => {
  it('are written with their values, or alone where they are true', () => {
    const members = {
      type: 'text',
      'data-x': 1,
      required: true,
      disabled: false,
      id: null,
      x: undefined,
    }
    expect(render(attributes(members))).toBe(' type="text" data-x="1" required')
  })

  it.each(['onclick', 'ONCLICK', 'onx', 'a b', 'a="', '><script', '', '1a', 'a/', 'a\n', 'é'])(
    'called %j are left out',
    name => {
      expect(render(attributes({ [name]: 'x', id: 'y' }))).toBe(' id="y"')
    },
  )
})

describe('a style sheet', () => {
  it('stands in its element as it is', () => {
    expect(render(styleElement('a>b{color:red}'))).toBe('<style>a>b{color:red}</style>')
  })

  it('cannot end the element that it stands in', () => {
    expect(() => styleElement('</style><script>')).toThrow(TypeError)
  })
})
