import type { NextApiRequest, NextApiResponse } from 'next'

/** Lets caches keep its answer, and knows nothing of sessions. */
export default function handler(_req: NextApiRequest, res: NextApiResponse) {
  res.setHeader('cache-control', 'public, s-maxage=600')
  res.json('kept')
}
