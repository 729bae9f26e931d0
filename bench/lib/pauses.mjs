/** Looked for so often, in milliseconds. */
const EVERY = 2

/**
 * Measures how long the event loop is blocked. On a machine that does other things as well, a pause by the clock contains the time
 * in which others had the processor; and the CPU time of the process contains that of its other threads. The shorter of the two
 * is no less than what this process has blocked its own loop for.
 */
export function watchPauses() {
  let [wall, cpu] = [performance.now(), cpuTime()]
  let longest = 0
  let longestByClock = 0
  const timer = setInterval(() => {
    const [wallNow, cpuNow] = [performance.now(), cpuTime()]
    longestByClock = Math.max(longestByClock, wallNow - wall)
    longest = Math.max(longest, Math.min(wallNow - wall, cpuNow - cpu))
    ;[wall, cpu] = [wallNow, cpuNow]
  }, EVERY)
  return () => {
    clearInterval(timer)
    return { longest, longestByClock }
  }
}

function cpuTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
