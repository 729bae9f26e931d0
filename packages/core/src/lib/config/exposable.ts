/** Whether these are names of columns that can be shown. What every object has is none of a user. */
export function isExposable(names: unknown): boolean {
  return (
    names === undefined ||
    (Array.isArray(names) &&
      names.every(each => each && typeof each === 'string' && !(each in Object.prototype)))
  )
}
