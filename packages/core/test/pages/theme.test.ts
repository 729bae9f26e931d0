import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { contrast, parseColor, readableOn, requireColor } from '../../src/lib/branding/color.ts'
import { createTestAuth, Visitor, warningsOf } from '../visitor.ts'

/** A theme is looked at while nobody waits: when a later one was, so was this one. */
async function warningsFor(theme: object) {
  const auth = createTestAuth({ theme, trustHost: true })
  await warningsOf(auth)
  const later = createTestAuth({ theme: { logo: 'no address' }, trustHost: true })
  await warningsOf(later)
  await vi.waitFor(() => expect(later.warnings).toEqual(['theme-logo']))
  return auth.warnings
}

describe('a theme', () => {
  it.each([
    [{ brandColor: 'blurple' }, 'theme-color'],
    [{ buttonText: 'var(--text)' }, 'theme-color'],
    [{ brandColor: '#12345' }, 'theme-color'],
    [{ logo: 'javascript:alert(1)' }, 'theme-logo'],
    [{ logo: 'logo.png' }, 'theme-logo'],
    [{ logo: 'https://' }, 'theme-logo'],
    [{ brandColor: '#fff', buttonText: '#eee' }, 'theme-contrast'],
  ])('that cannot be used is told of: %j', async (theme, warning) => {
    expect(await warningsFor(theme)).toEqual([warning])
  })

  it.each([
    {},
    { brandColor: '', buttonText: '', logo: '' },
    { brandColor: 'hsl(210deg 80% 40%)', logo: '/logo.svg' },
    { brandColor: '#346df1', buttonText: 'white', logo: 'https://cdn.example/logo.png' },
    { logo: 'data:image/svg+xml,%3Csvg/%3E' },
  ])('that can be used is not spoken of: %j', async theme => {
    expect(await warningsFor(theme)).toEqual([])
  })

  it('with a colour of its own has buttons that can be read', async () => {
    const textFor = async (brandColor: string) => {
      const auth = createTestAuth({ theme: { brandColor, colorScheme: 'light' }, trustHost: true })
      const html = await (await new Visitor(auth.handle).get('/signout')).text()
      return /--button-text-color:([^;]+);/.exec(html)?.[1]
    }
    expect(await textFor('#ffd400')).toBe('#0b0d12')
    expect(await textFor('navy')).toBe('#ffffff')
    expect(await textFor('oklch(95% 0.05 100)')).toBe('#0b0d12')
  })
})

describe('black or white, whichever is chosen', () => {
  it('can be read on any colour, at 4.5 to 1 or better', () => {
    const part = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.tuple(part, part, part), rgb => {
        const color = { rgb, alpha: 1 }
        // Numbers are rounded: 4.499999999999999 is the same to the eye.
        expect(contrast(color, requireColor(readableOn(color)))).toBeGreaterThan(4.5 - 1e-9)
      }),
    )
  })

  it.each([
    ['#ff8000', [255, 128, 0]],
    ['rgb(255 128 0)', [255, 128, 0]],
    ['rgb(100%, 50%, 0%)', [255, 128, 0]],
    ['hsl(30, 100%, 50%)', [255, 128, 0]],
    ['hsl(0.5turn 100% 25%)', [0, 128, 128]],
    ['hwb(30 0% 0%)', [255, 128, 0]],
    ['hwb(0 60% 60%)', [128, 128, 128]],
    ['lab(50% 0 0)', [119, 119, 119]],
    ['lch(54.29% 106.84 40.85)', [255, 0, 0]],
    ['oklab(0.62796 0.22486 0.12585)', [255, 0, 0]],
    ['oklch(62.796% 0.25768 29.234)', [255, 0, 0]],
    ['color(srgb 1 0.5 0)', [255, 128, 0]],
    ['rebeccapurple', [102, 51, 153]],
  ])('starts from what %s looks like', (text, expected) => {
    const seen = parseColor(text)?.rgb.map(part => Math.round(part * 255)) ?? []
    for (const [at, value] of expected.entries()) {
      expect(Math.abs((seen[at] ?? -9) - value)).toBeLessThanOrEqual(1)
    }
  })
})
