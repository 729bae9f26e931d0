import { FOR_CACHES } from '../../../caching'

export const dynamic = 'force-dynamic'

/** Lets caches keep its answer, and knows nothing of sessions. */
export async function GET() {
  return Response.json('kept', { headers: FOR_CACHES })
}
