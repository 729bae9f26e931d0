import { progress } from './progress.mjs'

/**
 * Measures contenders against each other: in rounds, in random order, in one process, so that
 * whatever else the machine does hits all of them alike. The first contender is the limit.
 */
export async function measure(contenders, options) {
  return summarise(contenders, await sample(contenders, options))
}

/** The times of each contender, round by round. */
export async function sample(contenders, { rounds = 41, roundMs = 30 } = {}) {
  const samples = contenders.map(() => [])
  const batches = []
  for (const { run } of contenders) batches.push(await batchSize(run, roundMs))
  for (let round = 0; round < rounds; round++) {
    for (const index of shuffled(contenders.length)) {
      samples[index].push(await time(contenders[index].run, batches[index]))
    }
    progress((round + 1) / rounds)
  }
  return samples
}

/** Median, spread, and the median of the ratios to the first contender, round by round. */
export function summarise(contenders, samples) {
  return contenders.map(({ name, ours = false }, index) => {
    const own = samples[index]
    const ratios = own.map((sample, round) => sample / samples[0][round])
    return {
      name,
      ours,
      median: quantile(own, 0.5),
      p10: quantile(own, 0.1),
      p90: quantile(own, 0.9),
      ratio: quantile(ratios, 0.5),
      ratio10: quantile(ratios, 0.1),
      ratio90: quantile(ratios, 0.9),
    }
  })
}

async function batchSize(run, roundMs) {
  // Long enough for the compiler to have seen what it will see.
  const start = performance.now()
  let each = await time(run, 20)
  while (performance.now() - start < 200) each = await time(run, 50)
  return Math.max(5, Math.round((roundMs * 1000) / each))
}

/** Microseconds for one operation. */
async function time(run, count) {
  const start = process.hrtime.bigint()
  for (let done = 0; done < count; done++) await run()
  return Number(process.hrtime.bigint() - start) / 1000 / count
}

export function quantile(samples, share) {
  const sorted = [...samples].sort((left, right) => left - right)
  return sorted[Math.floor((sorted.length - 1) * share)]
}

/** The numbers below a length in random order. */
export function shuffled(length) {
  const order = Array.from({ length }, (_, index) => index)
  for (let index = length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1))
    ;[order[index], order[other]] = [order[other], order[index]]
  }
  return order
}
