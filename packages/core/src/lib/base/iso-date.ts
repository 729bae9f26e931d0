// Seconds and their fraction are optional, the time zone is not.
const isoDateTime =
  /\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[+-][0-2]\d:[0-5]\d|Z)/

/** Whether a value is a text with a full ISO date and time, as adapters store dates as text. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && isoDateTime.test(value) && !Number.isNaN(Date.parse(value))
}
