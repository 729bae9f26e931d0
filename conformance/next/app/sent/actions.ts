'use server'

import { auth } from '../../auth'
import { probe } from '../../probe'

/** Anybody can call it, at any path: the guard has to be in here. */
export async function write(): Promise<void> {
  const session = await auth()
  if (!session || (probe.isInFront && !probe.allow(session))) throw new Error('Unauthorized')
  probe.ran()
}

export async function writeAsAda(): Promise<void> {
  const session = await auth()
  if (!session || !probe.allow(session)) throw new Error('Unauthorized')
  probe.ran()
}
