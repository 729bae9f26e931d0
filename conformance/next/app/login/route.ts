import { CredentialsSignin } from '@siteauth/next'
import { signIn } from '../../auth'
import { probe } from '../../probe'

export const dynamic = 'force-dynamic'

export function GET() {
  return new Response(probe.signInPage)
}

export async function POST(request: Request) {
  const { name, password } = Object.fromEntries(await request.formData())
  try {
    return await signIn('credentials', { name, password, redirectTo: '/private' })
  } catch (error) {
    if (error instanceof CredentialsSignin) return new Response('Who are you?', { status: 401 })
    throw error
  }
}
