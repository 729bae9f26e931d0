/**
 * A form that a parser has taken apart, put together again. It has to stay a form: answers that providers
 * post are taken from forms alone, and whether a field came twice matters there.
 */
export function writeForm(parsed: object): string {
  return new URLSearchParams(fieldsIn(parsed, name => name)).toString()
}

/** Fields and their values, named as browsers send them: parsers make objects of `user[name]`. */
function fieldsIn(parsed: object, nameOf: (key: string) => string): [string, string][] {
  return Object.entries(parsed).flatMap(([key, value]) => fieldsOf(nameOf(key), value))
}

function fieldsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap(each => fieldsOf(name, each))
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return [[name, String(value)]]
    case 'object':
      // A file is not a field for us, and parsers pass those on as bytes.
      if (value === null || value instanceof Uint8Array) return []
      return fieldsIn(value, key => `${name}[${key}]`)
    default:
      return []
  }
}
