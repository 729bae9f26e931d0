import { auth } from '../../../auth'
import { FOR_CACHES } from '../../../caching'

const { 'cache-control': _, ...targeted } = FOR_CACHES

/** Speaks to some caches only. */
export const GET = auth(async request =>
  Response.json(request.auth?.user ?? null, { headers: targeted }),
)
