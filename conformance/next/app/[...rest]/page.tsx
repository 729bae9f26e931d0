import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { probe } from '../../probe'

/** Every path that has no other route: behind the proxy's guard, or as if there were no such route. */
export default async function Rest() {
  await connection()
  if (!probe.isInFront) notFound()
  return <p>{probe.ran()}</p>
}
