'use server'
import { redirect } from 'next/navigation'
import { signIn } from '../../auth'

/** Signs in and goes on, or says what was wrong. */
export async function login(_before: string | null, form: FormData): Promise<string | null> {
  const { ok, url } = await signIn.attempt('credentials', form)
  if (ok) redirect(url)
  return 'Wrong name or password.'
}
