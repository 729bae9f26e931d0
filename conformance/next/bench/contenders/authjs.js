import NextAuth from 'next-auth'
import { config } from '../../../../bench/lib/site.mjs'

const { auth, handlers } = NextAuth(config)

export { handlers }

export async function who() {
  const session = await auth()
  return Response.json({ hello: session?.user?.name })
}
