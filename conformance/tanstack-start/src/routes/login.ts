import { CredentialsSignin } from '@siteauth/tanstack-start'
import { createFileRoute } from '@tanstack/react-router'
import { auth, probe } from '../auth'
import { readFile, writeFile } from '../guarded'

export const Route = createFileRoute('/login')({
  server: {
    handlers: {
      // The addresses are for those who attack them.
      GET: () => new Response(`${probe.signInPage} ${readFile.url} ${writeFile.url}`),
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
