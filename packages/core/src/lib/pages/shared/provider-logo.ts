import { parseColor, readableOn } from '../../branding/color.ts'
import type { Logo } from '../../branding/logos/logo.ts'
import { cssColor, imageUrl } from '../../branding/theme.ts'
import { attributes, type Html, html } from './html.ts'
import { contrastOnCard } from './style.ts'

/** How a provider wants to be known. */
export interface LogoView {
  readonly logoPath?: Logo | undefined
  readonly logo?: string | undefined
  readonly brandColor?: string | undefined
  readonly bg?: string | undefined
  readonly text?: string | undefined
}

const drawn = new WeakMap<LogoView, { readonly name: string; readonly logo: Html }>()

/**
 * The logo of a provider: its own, or the first letter of its name on its colour. Drawn once: the
 * style of a provider does not change.
 */
export function providerLogo(name: string, style: LogoView): Html {
  const earlier = drawn.get(style)
  if (earlier?.name === name) return earlier.logo
  const logo = draw(name, style)
  drawn.set(style, { name, logo })
  return logo
}

function draw(name: string, style: LogoView): Html {
  const logo = imageUrl(style.logo)
  if (logo) return html`<img class="mark" src="${logo}" alt="" width="20" height="20">`
  const fill = colorOf(style)
  const parts =
    typeof style.logoPath === 'string' ? [{ path: style.logoPath, fill }] : (style.logoPath ?? [])
  const usable = parts.filter(({ path }) => isPathData(path))
  if (usable.length === 0) return letterLogo(name, fill)
  // One colour may be lost on the button; several tell each other apart.
  const lost = usable.length === 1 ? invisibleOn(usable[0]?.fill) : []
  return html`<svg class="${['mark', ...lost].join(' ')}" viewBox="0 0 24 24" aria-hidden="true">${usable.map(
    part =>
      html`<path${attributes({ fill: cssColor(part.fill) ?? 'currentColor', d: part.path })}/>`,
  )}</svg>`
}

function letterLogo(name: string, fill: string | undefined): Html {
  const [letter = '?'] = name.trim()
  const color = fill ?? '#6b7280'
  const parsed = parseColor(color)
  return html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="${color}"/><text x="12" y="17" font-size="14" font-weight="700" text-anchor="middle" fill="${parsed ? readableOn(parsed) : '#fff'}">${letter.toUpperCase()}</text></svg>`
}

/** The first colour that is more than white on white. */
function colorOf({ brandColor, bg, text }: LogoView): string | undefined {
  const colors = [brandColor, bg, text].flatMap(each => cssColor(each) ?? [])
  return colors.find(each => !isNearlyWhite(each)) ?? colors[0]
}

function isNearlyWhite(text: string): boolean {
  const color = parseColor(text)
  return !color || color.alpha === 0 || color.rgb.every(part => part > 0.93)
}

/**
 * Logos are to be recognised, in colours that are not ours to choose; the name stands beside them. These
 * were mostly chosen for white paper, so in the dark more is asked of them: what WCAG asks of graphics.
 */
const ENOUGH_FOR_A_LOGO = { light: 1.8, dark: 3 }

function invisibleOn(fill: string | undefined): readonly string[] {
  const color = fill && parseColor(fill)
  if (!color) return []
  return (['light', 'dark'] as const)
    .filter(scheme => contrastOnCard(color, scheme) < ENOUGH_FOR_A_LOGO[scheme])
    .map(scheme => `no-${scheme}`)
}

/** Path data can draw, and nothing else. */
function isPathData(text: string): boolean {
  return text.length < 20_000 && /^[MmLlHhVvCcSsQqTtAaZz\d\s.,e+-]+$/.test(text)
}
