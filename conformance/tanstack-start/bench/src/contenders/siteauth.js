import { SiteAuth } from '@siteauth/tanstack-start'
import { ourConfig } from '../../../../../bench/lib/site.mjs'

const auth = SiteAuth(ourConfig)

export const { middleware } = auth

export async function who({ request }) {
  const session = await auth.getSession(request)
  return Response.json({ hello: session?.user?.name })
}
