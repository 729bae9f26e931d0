import { SiteAuth } from '@siteauth/solid-start'
import { ourConfig } from '../../../../../bench/lib/site.mjs'

const auth = SiteAuth(ourConfig)

export const { middleware, GET: endpoint } = auth

export async function who() {
  const session = await auth.getSession()
  return Response.json({ hello: session?.user?.name })
}
