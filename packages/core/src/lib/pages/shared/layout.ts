import { imageUrl, type Theme } from '../../branding/theme.ts'
import type { RenderedPage } from '../../http/response.ts'
import type { Language } from '../../translations/languages.ts'
import { type ScriptName, scriptAsset } from './assets.ts'
import { type Html, html, render } from './html.ts'
import { type IconName, icon } from './icons.ts'
import { styleOf } from './style.ts'

/** The facts that every page receives. */
export interface PageSetting {
  readonly theme: Theme
  readonly language: Language
  /** The URL of the application, to go back to. */
  readonly site: string
  /** The application's name. */
  readonly appName: string | undefined
  /** The application, as visitors know it: by that, or by its host. */
  readonly host: string
  /** The path under which our own files are. */
  readonly assets: string
}

/** The parts of a page. */
export interface PageContent {
  /** The class of the page, by which applications know it. */
  readonly name: string
  readonly title: string
  readonly heading: Html | string
  /** Stands under the heading. */
  readonly lead?: Html | string | undefined
  /** Shown where the application has no logo. */
  readonly icon?: IconName
  readonly content: Html
  /** Our own scripts, in the order in which they run. The page must also work without. */
  readonly scripts?: readonly ScriptName[]
  /** Whether one of the scripts asks our own endpoints for something. */
  readonly connects?: boolean
  /** Whether there is a form on the page. */
  readonly hasForms?: boolean
  /** Images that the content loads. */
  readonly images?: readonly (string | undefined)[]
}

/** Puts a page together, with a policy that lets it load what is our own and nothing else. */
export async function layout(setting: PageSetting, page: PageContent): Promise<RenderedPage> {
  const { theme, language, assets } = setting
  const { name, title, heading, lead, content, scripts = [] } = page
  const style = await styleOf(theme)
  const files = await Promise.all(scripts.map(scriptAsset))
  const logo = imageUrl(theme.logo)
  const above = logo
    ? html`<img src="${logo}" alt="${setting.host}" class="logo">`
    : page.icon && icon(page.icon, page.icon === 'alert' ? 'icon bad' : 'icon')
  const document = html`<!DOCTYPE html><html lang="${language.tag}" dir="${language.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}${setting.appName && ` · ${setting.appName}`}</title>${style.element}${files.map(({ file }) => html`<script src="${assets}/${file}" defer></script>`)}</head><body class="__next-auth-theme-${theme.colorScheme ?? 'auto'}"><div class="page"><div class="${name}" role="main"><div class="card"><div class="head">${above}<h1>${heading}</h1>${lead && html`<p class="quiet">${lead}</p>`}</div>${content}</div></div></div></body></html>`
  return {
    html: render(document),
    contentSecurityPolicy: policyOf(page, style.source, [logo, ...(page.images ?? [])]),
  }
}

function policyOf(
  { scripts, connects, hasForms }: PageContent,
  styleSource: string,
  images: readonly (string | undefined)[],
): string {
  const origins = new Set(images.flatMap(each => originOf(each) ?? []))
  return [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(scripts?.length ? ["script-src 'self'"] : []),
    ...(connects ? ["connect-src 'self'"] : []),
    ["img-src 'self' data:", ...origins].join(' '),
    // Nothing more where there is a form: Chromium applies `form-action` to where the answer leads,
    // too, and that is the provider, or wherever the application sends people.
    ...(hasForms ? [] : ["form-action 'none'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** The origin of an image; undefined if it is our own, or part of the page. */
function originOf(image: string | undefined): string | undefined {
  const url = imageUrl(image)
  return url && /^https?:/i.test(url) ? new URL(url).origin : undefined
}

/** The internal error. Not for visitors, and so in the language of the code. */
export function developerNote(details: readonly string[]): Html | false {
  return (
    details.length > 0 &&
    html`<div class="details" lang="en" dir="ltr"><strong>Only shown in development</strong>${details.map(detail => html`<pre>${detail}</pre>`)}<span>The server's log says more.</span></div>`
  )
}
