import { primitives } from '#crypto'
import type { RenderedPage } from '../http/outgoing.ts'
import { cssColor, type Theme } from '../theme.ts'
import { type ScriptName, scriptAsset } from './assets.ts'
import { type Html, html, render, styleElement } from './html.ts'

/** What every page is told, whatever it is about. */
export interface PageSetting {
  readonly theme: Theme
  /** The URL of the application, to go back to. */
  readonly site: string
  /** The application, as visitors know it. */
  readonly host: string
  /** The path under which our own files are. */
  readonly assets: string
}

/** What a page is made of. */
export interface PageParts {
  readonly title: string
  readonly content: Html
  /** Our own scripts, in the order in which they run. The page must also work without. */
  readonly scripts?: readonly ScriptName[]
  /** Whether one of the scripts asks our own endpoints for something. */
  readonly connects?: boolean
  /** Whether there is a form on the page. */
  readonly hasForms?: boolean
}

/** Puts a page together, with a policy that lets it load what is our own and nothing else. */
export async function layout(setting: PageSetting, parts: PageParts): Promise<RenderedPage> {
  const { theme, assets } = setting
  const { title, content, scripts = [], connects = false, hasForms = false } = parts
  const css = styleFor(theme)
  const logo = theme.logo && isImageUrl(theme.logo) ? theme.logo : undefined
  const files = await Promise.all(scripts.map(scriptAsset))
  const document = html`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${styleElement(css)}${files.map(({ file }) => html`<script src="${assets}/${file}" defer></script>`)}</head><body class="__next-auth-theme-${theme.colorScheme ?? 'auto'}"><div class="page">${logo && html`<img src="${logo}" alt="Logo" class="logo">`}${content}</div></body></html>`
  return {
    html: render(document),
    contentSecurityPolicy: [
      "default-src 'none'",
      `style-src ${await sourceHash(css)}`,
      ...(scripts.length > 0 ? ["script-src 'self'"] : []),
      ...(connects ? ["connect-src 'self'"] : []),
      `img-src 'self' data: ${logo ? originOf(logo) : ''}`.trim(),
      // Nothing more where there is a form: Chromium applies `form-action` to where the answer leads,
      // too, and that is the provider, or wherever the application sends people.
      ...(hasForms ? [] : ["form-action 'none'"]),
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
  }
}

/** Lets just this text be a style of the page. */
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
