import { CredentialsSignin } from '@siteauth/react-router'
import { auth, probe } from '../auth.server'
import type { Route } from './+types/login'

export const loader = () => new Response(probe.signInPage)

export async function action(args: Route.ActionArgs) {
  const { name, password } = Object.fromEntries(await args.request.formData())
  try {
    return await auth.signIn(args, 'credentials', { name, password, redirectTo: '/private' })
  } catch (error) {
    if (error instanceof CredentialsSignin) return new Response('Who are you?', { status: 401 })
    throw error
  }
}
