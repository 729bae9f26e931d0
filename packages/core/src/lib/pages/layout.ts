import { primitives } from '#crypto'
import type { RenderedPage } from '../http/outgoing.ts'
import { cssColor, type Theme } from '../theme.ts'
import { type Html, html, render, scriptElement, styleElement } from './html.ts'

/** What every page is made of. */
export interface PageParts {
  readonly title: string
  readonly theme: Theme
  readonly content: Html
  /** Runs when the page is there. The page must also work without. */
  readonly script?: string
}

/** Puts a page together, with a policy that lets it load its own style and nothing else. */
export async function layout(parts: PageParts): Promise<RenderedPage> {
  const { title, theme, content, script } = parts
  const css = styleFor(theme)
  const logo = theme.logo && isImageUrl(theme.logo) ? theme.logo : undefined
  const document = html`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${styleElement(css)}</head><body class="__next-auth-theme-${theme.colorScheme ?? 'auto'}"><div class="page">${logo && html`<img src="${logo}" alt="Logo" class="logo">`}${content}</div>${script && scriptElement(script)}</body></html>`
  return {
    html: render(document),
    // No `form-action`: browsers apply it to the redirect that leads to a provider, too.
    contentSecurityPolicy: [
      "default-src 'none'",
      `style-src ${await sourceHash(css)}`,
      ...(script ? [`script-src ${await sourceHash(script)}`] : []),
      `img-src 'self' data: ${logo ? originOf(logo) : ''}`.trim(),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  }
}

/** Lets just this text be a style or a script of the page. */
async function sourceHash(text: string): Promise<string> {
  return `'sha256-${btoa(String.fromCharCode(...(await primitives.digest('SHA-256', text))))}'`
}

const schemes = { auto: 'light dark', light: 'light', dark: 'dark' } as const

function styleFor(theme: Theme): string {
  const brand = cssColor(theme.brandColor)
  const text = cssColor(theme.buttonText)
  return [
    `:root{color-scheme:${schemes[theme.colorScheme ?? 'auto']};`,
    brand && `--brand-color:${brand};`,
    text && `--button-text-color:${text};`,
    '}',
    'body{font-family:system-ui,sans-serif;max-width:24rem;margin:10vh auto;padding:0 1rem}',
    'label,input,button{display:block;width:100%;box-sizing:border-box;margin:.5rem 0;font:inherit}',
    'input,button{padding:.6rem}',
    '.logo{max-width:8rem;max-height:6rem}',
    brand && 'button{background:var(--brand-color)}',
    text && 'button{color:var(--button-text-color)}',
  ]
    .filter(Boolean)
    .join('')
}

function isImageUrl(value: string): boolean {
  return /^(https?:\/\/|\/(?!\/)|data:image\/)/i.test(value)
}

function originOf(value: string): string {
  try {
    const { origin } = new URL(value)
    return origin === 'null' ? '' : origin
  } catch {
    return '' // a path: the page's own origin
  }
}
