const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

class Html {
  constructor(text) {
    this.text = text
  }
  toString() {
    return this.text
  }
}

/** HTML in which every value is escaped, except for what is HTML already. */
export function html(strings, ...values) {
  return new Html(String.raw({ raw: strings }, ...values.map(asHtml)))
}

/** Text that is HTML already, and from where it can be trusted. */
export function raw(text) {
  return new Html(text)
}

function asHtml(value) {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(asHtml).join('')
  if (value === null || value === undefined || value === false) return ''
  return String(value).replaceAll(/[&<>"']/g, character => escapes[character])
}
