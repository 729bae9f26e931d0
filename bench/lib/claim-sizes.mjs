import { measure } from './measure.mjs'
import { reportBySize } from './report.mjs'
import { visitorWith } from './visitor.mjs'

/** In bytes. The second is what sessions usually have, and what all others are held against. */
const SIZES = [200, 410, 1000, 4000, 16_000]

/** How many parts of the progress bar it takes. */
export const SIZE_COUNT = SIZES.length

/** Measures contenders with claims of several sizes, and reports them in one table. */
export async function compareSizes(name, { title, note, limit, contendersFor, ...options }) {
  const usual = await visitorWith(SIZES[1])
  const bySize = []
  for (const size of SIZES) {
    const visitor = await visitorWith(size)
    const rows = await measure(
      [
        { name: 'limit, claims of 0.4 kB', run: () => limit(usual.token()) },
        { name: 'limit', run: () => limit(visitor.token()) },
        ...(await contendersFor(visitor)),
      ],
      options,
    )
    bySize.push({ heading: `${(size / 1000).toFixed(1)} kB`, rows: rows.slice(1) })
  }
  const how = 'As a multiple of the limit for 0.4 kB, in the same rounds; p10 to p90 in brackets.'
  reportBySize(name, { title, note: [how, note].filter(Boolean).join(' '), bySize })
}
