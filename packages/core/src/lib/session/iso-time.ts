const DAY = 86_400_000
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

// Sessions that are read one after the other end on one of a few days.
let lastDay = Number.NaN
let lastDate = ''

/**
 * A time in milliseconds as `toISOString` of a `Date` writes it, in a tenth of its time: whenever a token
 * is opened, the session says when it ends.
 */
export function isoTime(time: number): string {
  const milliseconds = Math.trunc(time)
  const day = Math.floor(milliseconds / DAY)
  if (day !== lastDay) {
    lastDate = new Date(day * DAY).toISOString().slice(0, -'00:00:00.000Z'.length)
    lastDay = day
  }
  const ofDay = milliseconds - day * DAY
  const seconds = Math.floor(ofDay / 1000)
  const hour = TWO_DIGITS[Math.floor(seconds / 3600)]
  const minute = TWO_DIGITS[Math.floor(seconds / 60) % 60]
  const fraction = String(ofDay - seconds * 1000).padStart(3, '0')
  return `${lastDate}${hour}:${minute}:${TWO_DIGITS[seconds % 60]}.${fraction}Z`
}
