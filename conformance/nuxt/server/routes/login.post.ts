import { CredentialsSignin } from '@siteauth/nuxt/server'

export default defineEventHandler(async event => {
  const { name, password } = await readBody<{ name: string; password: string }>(event)
  try {
    return await auth.signIn(event, 'credentials', { name, password, redirectTo: '/private' })
  } catch (error) {
    if (error instanceof CredentialsSignin) return new Response('Who are you?', { status: 401 })
    throw error
  }
})
