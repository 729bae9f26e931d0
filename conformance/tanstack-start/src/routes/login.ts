import { CredentialsSignin } from '@siteauth/tanstack-start'
import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

export const Route = createFileRoute('/login')({
  server: {
    handlers: {
      POST: async ({ request }) => {
        const { name, password } = Object.fromEntries(await request.formData())
        try {
          const wish = { name, password, redirectTo: '/private' }
          return await auth.signIn(request, 'credentials', wish)
        } catch (error) {
          if (error instanceof CredentialsSignin) {
            return new Response('Who are you?', { status: 401 })
          }
          throw error
        }
      },
    },
  },
})
