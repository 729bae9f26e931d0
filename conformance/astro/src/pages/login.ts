import { CredentialsSignin } from '@siteauth/astro'
import type { APIRoute } from 'astro'
import { auth } from '../auth'
import { probe } from '../probe'

export const GET: APIRoute = () => new Response(probe.signInPage)

export const POST: APIRoute = async context => {
  const { name, password } = Object.fromEntries(await context.request.formData())
  try {
    return await auth.signIn(context, 'credentials', { name, password, redirectTo: '/private' })
  } catch (error) {
    if (error instanceof CredentialsSignin) return new Response('Who are you?', { status: 401 })
    throw error
  }
}
