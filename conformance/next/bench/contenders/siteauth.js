import SiteAuth from '@siteauth/next'
import { ourConfig } from '../../../../bench/lib/site.mjs'

const { auth, handlers } = SiteAuth(ourConfig)

export { handlers }

export async function who() {
  const session = await auth()
  return Response.json({ hello: session?.user?.name })
}
