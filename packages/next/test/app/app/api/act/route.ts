import { AuthError } from '@siteauth/next'
import { sessions, signIn, signOut, unstable_update } from '../../../auth'

/** The functions of actions, called by a route handler: `do` says which. */
export async function POST(request: Request) {
  const { do: what, provider, ...options } = await request.json()
  try {
    switch (what) {
      case 'signIn':
        return Response.json({ answer: await signIn(provider, options) })
      case 'attempt':
        return Response.json({ answer: await signIn.attempt(provider, options) })
      case 'signOut':
        return Response.json({ answer: await signOut(options) })
      case 'rotate':
        return Response.json({ answer: await sessions.rotate() })
      case 'update':
        return Response.json({ answer: await unstable_update(options) })
    }
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const code = 'code' in error ? error.code : undefined
    return Response.json({ thrown: error.type, code })
  }
  return Response.json({ answer: null })
}
