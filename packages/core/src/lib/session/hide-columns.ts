/**
 * A row of which copies and JSON see some columns only. All others can be read by name; one that is set
 * is seen from then on. What callbacks return reaches scripts in the browser, and `{ ...user }` is what
 * people write without a thought of the password in the row.
 *
 * @param shown the columns that are seen
 */
export function hideColumns<Row extends object>(row: Row, shown: readonly string[]): Row {
  const seen = {}
  for (const name of columnsOf(row)) {
    if (shown.includes(name)) show(seen, name, read(row, name))
    else hide(seen, name, row)
  }
  return seen as Row // column by column the same, when it is asked by name
}

function show(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

// Members of the object itself, not of a prototype: frameworks take nothing but plain objects.
function hide(target: object, name: string, row: object): void {
  Object.defineProperty(target, name, {
    get: () => read(row, name),
    set: value => show(target, name, value),
    enumerable: false,
    configurable: true,
  })
}

function read(row: object, name: string): unknown {
  const value: unknown = Reflect.get(row, name)
  // A method of a row that is an object of a class may need the very object.
  return typeof value === 'function' ? value.bind(row) : value
}

/** The names of a row, which may be an object of a class and have getters there. */
function columnsOf(row: object): ReadonlySet<string> {
  const names = new Set<string>()
  let holder: object | null = row
  while (holder && holder !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(holder)) names.add(name)
    holder = Object.getPrototypeOf(holder)
  }
  for (const name of PASSED_OVER) names.delete(name)
  return names
}

/** `toJSON` would write all of the row; the others say what kind of object it is. */
const PASSED_OVER = ['toJSON', 'constructor', '__proto__']
