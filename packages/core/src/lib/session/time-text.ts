const DAY = 86_400_000
const MAX_KEPT = 100

/** Dates as texts by the number of their day: sessions that are alive end on few different ones. */
const dates = new Map<number, string>()

/**
 * A time as `Date.toISOString` writes it. That takes some five microseconds, and every session that is
 * read says when it ends.
 */
export function timeText(milliseconds: number): string {
  const time = Math.trunc(milliseconds)
  const day = Math.floor(time / DAY)
  const rest = time - day * DAY
  const date = dates.get(day) ?? keepDate(day, time)
  const hours = twoDigits(Math.floor(rest / 3_600_000))
  const minutes = twoDigits(Math.floor(rest / 60_000) % 60)
  const seconds = twoDigits(Math.floor(rest / 1000) % 60)
  return `${date}${hours}:${minutes}:${seconds}.${twoDigits(Math.floor(rest / 10) % 100)}${rest % 10}Z`
}

function keepDate(day: number, time: number): string {
  const date = new Date(time).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (dates.size >= MAX_KEPT) dates.clear()
  dates.set(day, date)
  return date
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}
