import { CredentialsSignin } from '@siteauth/solid-start'
import type { APIEvent } from '@solidjs/start/server'
import { auth, probe } from '../auth'
import { addresses } from '../guarded'

export const GET = () => new Response([probe.signInPage, ...addresses()].join(' '))

export async function POST({ request }: APIEvent) {
  const { name, password } = Object.fromEntries(await request.formData())
  try {
    return await auth.signIn('credentials', { name, password, redirectTo: '/private' })
  } catch (error) {
    if (error instanceof CredentialsSignin) return new Response('Who are you?', { status: 401 })
    throw error
  }
}
