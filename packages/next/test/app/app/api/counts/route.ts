import { counts } from '../../../count'

/** What was counted since the last time. */
export async function POST() {
  const seen = Object.fromEntries(counts)
  counts.clear()
  return Response.json(seen)
}
