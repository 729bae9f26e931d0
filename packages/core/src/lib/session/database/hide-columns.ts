/**
 * Makes rows of which copies and JSON contain some columns only. All others can be read by name; one that is set is
 * visible from then on. The results of callbacks reach scripts in the browser, and people write `{ ...user }` without
 * thinking of the password in the row.
 *
 * @param visible the columns that they see
 */
export function createColumnHider(
  visible: readonly string[],
): <Row extends object>(row: Row) => Row {
  // To define the members of each row again takes many times as long as to make one more of a
  // class.
  const makers = new Map<string, (row: object) => object>()

  function makerFor(columns: readonly string[]): (row: object) => object {
    const key = columns.join('\n')
    const cached = makers.get(key)
    if (cached) return cached
    const maker = makerOf(columns, visible)
    if (makers.size >= MAX_MAKERS) makers.clear()
    makers.set(key, maker)
    return maker
  }

  return <Row extends object>(row: Row) => makerFor(columnsOf(row))(row) as Row // asked by name, it is
}

/** Tables have one list of columns, or few. Stores without tables may have any number. */
const MAX_MAKERS = 100

function makerOf(columns: readonly string[], visible: readonly string[]): (row: object) => object {
  class Row {
    readonly #row: object

    constructor(row: object) {
      this.#row = row
    }

    static read(seen: object, name: string): unknown {
      return #row in seen ? read(seen.#row, name) : undefined
    }
  }
  const names = columns.filter(each => !PASSED_OVER.has(each))
  for (const name of names.filter(each => !visible.includes(each))) {
    Object.defineProperty(Row.prototype, name, {
      get(this: object) {
        return Row.read(this, name)
      },
      set(this: object, value: unknown) {
        show(this, name, value)
      },
      enumerable: false,
      configurable: true,
    })
  }
  const own = names.filter(each => visible.includes(each))
  return row => {
    const seen = new Row(row) as Row & Record<string, unknown> // columns of whatever name
    for (const name of own) seen[name] = read(row, name)
    return seen
  }
}

function show(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function read(row: object, name: string): unknown {
  const value: unknown = Reflect.get(row, name)
  // A method of a row that is an object of a class may need the very object.
  return typeof value === 'function' ? value.bind(row) : value
}

/** `toJSON` would write all of the row; the others say what kind of object it is. */
const PASSED_OVER: ReadonlySet<string> = new Set(['toJSON', 'constructor', '__proto__'])

/** The names of a row, which may be an object of a class and have getters there. */
function columnsOf(row: object): readonly string[] {
  const names = Object.getOwnPropertyNames(row)
  const parent = Object.getPrototypeOf(row)
  return parent === null || parent === Object.prototype
    ? names
    : [...new Set([...names, ...columnsOf(parent)])]
}
