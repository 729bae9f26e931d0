/** The members of options, or the fields of a form that a server action received, without `redirect`. */
export function fieldsOf<Options extends object>(
  options: Options | FormData | undefined,
): Omit<Options, 'redirect'> {
  const { redirect: _, ...fields } = membersOf(options)
  return fields as Omit<Options, 'redirect'> // a form has the same names, and the code that reads the fields checks them
}

/** Whether options of a call ask for a redirect, as they do unless `redirect` is false. In a form, it is the text `false`. */
export function wantsRedirect(options: unknown): boolean {
  if (options instanceof FormData) return options.get('redirect') !== 'false'
  return (options as { readonly redirect?: unknown } | undefined)?.redirect !== false
}

function membersOf(options: object | undefined): Record<string, unknown> {
  if (!(options instanceof FormData)) return { ...options }
  // Next adds fields of its own to the forms of actions.
  return Object.fromEntries([...options].filter(([name]) => !name.startsWith('$ACTION_')))
}
