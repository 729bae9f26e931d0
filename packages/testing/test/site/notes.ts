import { NextResponse } from 'next/server.js'
import { auth, signOut } from './auth.ts'

/** A route handler of an application. */
export const GET = auth(request => {
  if (!request.auth) return new Response('Sign in first.', { status: 401 })
  return NextResponse.json({ notesOf: request.auth.user?.name })
})

/** A server action of an application. */
export async function leave(): Promise<void> {
  const session = await auth()
  if (session) await signOut({ redirectTo: '/bye' })
}
