import { SiteAuth } from '@siteauth/sveltekit'
import { json } from '@sveltejs/kit'
import { ourConfig } from '../../../../../bench/lib/site.mjs'

export const { handle } = SiteAuth(ourConfig)

export async function GET({ locals }) {
  const session = await locals.auth()
  return json({ hello: session?.user?.name })
}
