/** A variable that is set to nothing is not set. */
export function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
