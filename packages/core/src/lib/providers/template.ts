/** The names in a template: options of the provider, or the facts of one request. */
export type TemplateValues = Readonly<Record<string, unknown>>

/**
 * Fills `{name}` and `{name.member}` in a template. Undefined if a value is missing: half a URL
 * is worse than none. A value in front of `/` loses the slashes at its end, so that
 * `{issuer}/authorize` has one slash however the issuer was written.
 */
export function fillTemplate(template: string, values: unknown): string | undefined {
  let complete = true
  const filled = template.replace(/\{([^{}]+)\}(?=(\/?))/g, (_, path: string, slash: string) => {
    const value = textOf(readPath(values, path))
    if (value === null) complete = false
    return slash ? (value ?? '').replace(/\/+$/, '') : (value ?? '')
  })
  return complete ? filled : undefined
}

/** Fills every template in a record, and leaves out those that cannot be filled. */
export function fillTemplates(
  templates: Readonly<Record<string, string>>,
  values: TemplateValues,
): Record<string, string> {
  const filled: Record<string, string> = {}
  for (const [name, template] of Object.entries(templates)) {
    const value = fillTemplate(template, values)
    if (value !== undefined) filled[name] = value
  }
  return filled
}

/** The value at a path such as `data.images[0].url`; undefined if it leads nowhere. */
export function readPath(value: unknown, path: string): unknown {
  let found = value
  for (const key of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key] // an object, by the line above
  }
  return found
}

/** A value as text. Null if it is neither text nor a number, or is empty. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}
