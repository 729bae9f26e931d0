import type { Session } from '@siteauth/next'
import { connection } from 'next/server'
import { auth } from './auth'
import { probe } from './probe'

/** Whether a page or a handler may answer. If the proxy guards everything, it has decided that. */
export async function mayPass(allow: (session: Session) => boolean = () => true): Promise<boolean> {
  await connection()
  if (probe.isInFront) return true
  const session = await auth()
  return session !== null && allow(session)
}
