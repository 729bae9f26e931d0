import { readFileSync } from 'node:fs'
import { html, raw } from './html.js'

const logo = readFileSync(new URL('logo.svg', import.meta.url), 'utf8')
export const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')

/** A page that is complete by itself. */
export function plainPage(title, content, { refresh } = {}) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${refresh && html`<meta http-equiv="refresh" content="${refresh}" />`}
        <title>${title}</title>
        <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(logo)}" />
        <style>${raw(style)}</style>
      </head>
      <body>${content}</body>
    </html>`
}
