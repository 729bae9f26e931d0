'use server'

import { CredentialsSignin } from '@siteauth/next'
import { auth, signIn, signOut, unstable_update } from '../../auth'

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
