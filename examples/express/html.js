const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A page whose values are escaped. */
export function html(texts, ...values) {
  const body = String.raw(
    { raw: texts },
    ...values.map(value => String(value ?? '').replace(/[&<>"']/g, each => entities[each])),
  )
  return `<!doctype html><html lang="en"><title>Example</title><body>${body}</body></html>`
}
