import type { Provider } from '@siteauth/core/providers'
import { describe, expect, it } from 'vitest'
import { type Color, contrast, requireColor } from '../../src/lib/branding/color.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { builtInProviders } from './built-in-providers.ts'

type Scheme = 'light' | 'dark'

/** The page with all providers, in one scheme. */
async function pageIn(colorScheme: Scheme): Promise<string> {
  const providers = (await builtInProviders()) as Provider[] // of whichever profile
  const auth = createTestAuth({ providers, theme: { colorScheme }, trustHost: true })
  return (await new Visitor(auth.handle).get('/signin')).text()
}

/** The best contrast between a card and anything that a mark is drawn with. */
function visibility(svg: string, card: Color, text: Color, scheme: Scheme): number {
  const isReplaced = svg.includes(`no-${scheme}`)
  const fills = [...svg.matchAll(/fill="([^"]+)"/g)].map(([, fill = '']) =>
    isReplaced || fill === 'currentColor' ? text : requireColor(fill),
  )
  return Math.max(...fills.map(fill => contrast(fill, card)))
}

describe('the mark of every built-in provider', () => {
  it.each([
    ['dark', 3],
    ['light', 1.8],
  ] as const)('can be seen on a %s page', async (scheme, enough) => {
    const page = await pageIn(scheme)
    const color = (name: string) =>
      requireColor(new RegExp(`--${name}:([^;]+);`).exec(page)?.[1] ?? '')
    const marks = [...page.matchAll(/(<svg class="mark.*?<\/svg>)<span>(.*?)<\/span>/g)]
    expect(marks.length).toBeGreaterThan(100)
    const unseen = marks.flatMap(([, svg = '', name]) => {
      const seen = visibility(svg, color('surface'), color('text'), scheme)
      return seen < enough ? [`${name}: ${seen.toFixed(2)}`] : []
    })
    expect(unseen).toEqual([])
  })
})
