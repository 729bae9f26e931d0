import { auth } from '../../../../auth'
import { FOR_CACHES } from '../../../../caching'

/** Looks who is there, and lets caches keep its answer. No proxy stands before it. */
export async function GET() {
  return Response.json((await auth())?.user ?? null, { headers: FOR_CACHES })
}
