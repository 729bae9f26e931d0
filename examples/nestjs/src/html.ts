const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A page whose values are escaped. */
export function html(texts: TemplateStringsArray, ...values: unknown[]): string {
  const escaped = values.map(value =>
    String(value ?? '').replace(/[&<>"']/g, each => entities[each]),
  )
  return `<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Example</title>
      </head>
      <body style="font: 1rem/1.5 system-ui; max-width: 30rem; margin: 4rem auto; padding: 0 1rem">
        ${String.raw({ raw: texts }, ...escaped)}
      </body>
    </html>`
}
