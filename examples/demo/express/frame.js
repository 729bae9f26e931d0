import { html, raw } from '../window/html.js'

/** A page of this application, with what stands above and below its own part. */
export function frame({ head, panels = '' }, hero) {
  const { DEMO_DESK } = process.env
  return String(html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>SiteAuth on Express</title>
        <link rel="icon" href="${DEMO_DESK}/logo.svg" />
        <link rel="stylesheet" href="${DEMO_DESK}/style.css" />
        <script src="${DEMO_DESK}/live.js" defer></script>
      </head>
      <body>
        ${raw(head)}
        <main>
          ${hero}
          ${raw(panels)}
        </main>
      </body>
    </html>`)
}
