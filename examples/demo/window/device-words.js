/** What a device is called. */
export function deviceName({ browser, system, label }) {
  const name = [browser, system].filter(Boolean).join(' on ') || 'Something unknown'
  return label ? `${name}, ${label}` : name
}

/** A time as people say it. */
export function timeInWords(time) {
  if (!time) return 'nobody knows when'
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}
