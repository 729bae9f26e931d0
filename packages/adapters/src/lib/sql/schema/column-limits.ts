/** The limits of columns that the names of their types do not contain. */
export interface ColumnRules {
  /** Whether texts may contain a NUL. */
  readonly takesNul: boolean
  /** The maximum number of bytes in an index. */
  readonly maxKeyBytes: number
  /** The maximum number of bytes in a column of the type `text`. */
  readonly textBytes: number
  /** How many bits an `integer` has. */
  readonly integerBits: 32 | 64
}

/** Why a value does not fit into a column of that type, or null if it does. */
export function findMisfit(
  value: unknown,
  type: string,
  isKey: boolean,
  rules: ColumnRules,
): string | null {
  if (typeof value === 'number' && Number.isInteger(value)) {
    const range = integerRange(type, rules)
    const isOutside = range && (BigInt(value) < range.min || BigInt(value) > range.max)
    return isOutside ? `is ${value}, and the column is ${type}` : null
  }
  if (typeof value !== 'string') return null
  if (!rules.takesNul && value.includes('\0')) return 'contains a NUL, which no column accepts'
  if (LONE_SURROGATE.test(value)) return 'contains half a character, which no column accepts'
  const letters = maxCharacters(type)
  if (letters !== null && value.length > letters) {
    // Letters beyond the first 65 536 of Unicode are two in JavaScript and one in a database.
    const length = [...value].length
    if (length > letters) return `has ${length} characters, and the column holds ${letters}`
  }
  const bytes = Math.min(
    maxBytes(type, rules),
    isKey ? rules.maxKeyBytes : Number.POSITIVE_INFINITY,
  )
  // One letter of JavaScript is three bytes at most.
  if (value.length * 3 > bytes) {
    const length = new TextEncoder().encode(value).length
    if (length > bytes) return `has ${length} bytes, and the column holds ${bytes}`
  }
  return null
}

/** The range of a column of that type, or null if its type is not an integer. */
export function integerRange(
  type: string,
  { integerBits }: Pick<ColumnRules, 'integerBits'>,
): { readonly min: bigint; readonly max: bigint } | null {
  const [, size = ''] = INTEGER.exec(type) ?? []
  if (!INTEGER.test(type)) return null
  const bits = integerBits === 64 ? 64n : (BITS[size] ?? 32n)
  return /\bunsigned\b/.test(type)
    ? { min: 0n, max: 2n ** bits - 1n }
    : { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n }
}

const INTEGER = /^(tiny|small|medium|big)?(?:int|serial)/
const BITS: Readonly<Record<string, bigint>> = { tiny: 8n, small: 16n, medium: 24n, big: 64n }
const LONE_SURROGATE = /\p{Surrogate}/u

function maxCharacters(type: string): number | null {
  const [, letters] =
    /^(?:character varying|varchar|character|char|nvarchar)\((\d+)\)/.exec(type) ?? []
  return letters === undefined ? null : Number(letters)
}

function maxBytes(type: string, { textBytes }: Pick<ColumnRules, 'textBytes'>): number {
  const [, bytes] = /^(?:varbinary|binary)\((\d+)\)/.exec(type) ?? []
  if (bytes !== undefined) return Number(bytes)
  return type === 'text' ? textBytes : (TEXT_BYTES[type] ?? Number.POSITIVE_INFINITY)
}

const TEXT_BYTES: Readonly<Record<string, number>> = { tinytext: 255, mediumtext: 2 ** 24 - 1 }
