const DAY = 86_400_000

/** Dates as texts by the number of their day: sessions that are alive end on few different ones. */
const dates = new Map<number, string>()

/**
 * A time as `Date.toISOString` writes it. That takes some five microseconds when other code has run in
 * between, as it has where each session is read from a database.
 */
export function timeText(milliseconds: number): string {
  const time = Math.trunc(milliseconds)
  const day = Math.floor(time / DAY)
  let date = dates.get(day)
  if (!date) {
    if (dates.size > 99) dates.clear()
    date = new Date(time).toISOString().slice(0, -13)
    dates.set(day, date)
  }
  const rest = time - day * DAY
  const [hours, minutes, seconds] = [rest / 3_600_000, (rest / 60_000) % 60, (rest / 1000) % 60]
  return `${date}${digits(hours)}:${digits(minutes)}:${digits(seconds)}.${digits(rest % 1000, 3)}Z`
}

function digits(value: number, length = 2): string {
  return String(Math.floor(value)).padStart(length, '0')
}
