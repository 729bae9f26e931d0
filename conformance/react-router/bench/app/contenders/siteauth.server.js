import { SiteAuth } from '@siteauth/react-router'
import { ourConfig } from '../../../../../bench/lib/site.mjs'

const auth = SiteAuth(ourConfig)

export const middleware = [auth.middleware]
export const endpoints = { loader: auth.loader, action: auth.action }

export async function who(args) {
  const session = await auth.getSession(args)
  return Response.json({ hello: session?.user?.name })
}
