'use server'

import { CredentialsSignin } from '@siteauth/next'
import { auth, signIn, signOut, unstable_update } from '../../auth'
import { probe } from '../../probe'

export async function enter(form: FormData): Promise<void> {
  const { name, password } = Object.fromEntries(form)
  await signIn('credentials', { name, password, redirectTo: '/account' })
}

export async function leave(): Promise<void> {
  await signOut({ redirectTo: '/' })
}

export async function rename(form: FormData): Promise<void> {
  await unstable_update({ name: String(form.get('name')) } as object)
}

/** Anybody can call it, at any path: the guard has to be in here. */
export async function tellSecret(): Promise<string> {
  const session = await auth()
  if (!session) throw new CredentialsSignin('nobody is signed in')
  return `the secret of ${session.user?.name}`
}

/** The same for those whom the probe lets pass. */
export async function runForAda(): Promise<string> {
  const session = await auth()
  const mayPass = session !== null && probe.allow(session)
  if (!probe.isInFront && !mayPass) throw new CredentialsSignin('not for this user')
  return probe.ran()
}
