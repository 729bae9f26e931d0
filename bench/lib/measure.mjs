/**
 * Measures contenders against each other: in rounds, in random order, in one process, so that
 * whatever else the machine does hits all of them alike. The first contender is the limit.
 */
export async function measure(contenders, { rounds = 41, roundMs = 30 } = {}) {
  const samples = contenders.map(() => [])
  const batches = []
  for (const { run } of contenders) batches.push(await batchSize(run, roundMs))
  for (let round = 0; round < rounds; round++) {
    for (const index of shuffled(contenders.length)) {
      samples[index].push(await time(contenders[index].run, batches[index]))
    }
  }
  return contenders.map(({ name }, index) => {
    const own = samples[index]
    const ratios = own.map((sample, round) => sample / samples[0][round])
    return {
      name,
      median: at(own, 0.5),
      p10: at(own, 0.1),
      p90: at(own, 0.9),
      ratio: at(ratios, 0.5),
    }
  })
}

/** The figures as a Markdown table. */
export function table(rows) {
  const lines = rows.map(
    ({ name, median, p10, p90, ratio }) =>
      `| ${name} | ${median.toFixed(1)} | ${p10.toFixed(1)}–${p90.toFixed(1)} | ${ratio.toFixed(2)} |`,
  )
  return ['| contender | µs (median) | p10–p90 | × limit |', '|---|---|---|---|', ...lines].join(
    '\n',
  )
}

async function batchSize(run, roundMs) {
  await time(run, 200) // warm up
  const each = await time(run, 200)
  return Math.max(10, Math.round((roundMs * 1000) / each))
}

/** Microseconds for one operation. */
async function time(run, count) {
  const start = process.hrtime.bigint()
  for (let done = 0; done < count; done++) await run()
  return Number(process.hrtime.bigint() - start) / 1000 / count
}

function at(samples, quantile) {
  const sorted = [...samples].sort((left, right) => left - right)
  return sorted[Math.floor((sorted.length - 1) * quantile)]
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
