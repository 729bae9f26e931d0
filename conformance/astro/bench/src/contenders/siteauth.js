import { SiteAuth } from '@siteauth/astro'
import { ourConfig } from '../../../../../bench/lib/site.mjs'

const auth = SiteAuth(ourConfig)

export const { onRequest, endpoint } = auth

export async function who(context) {
  const session = await auth.getSession(context)
  return Response.json({ hello: session?.user?.name })
}
