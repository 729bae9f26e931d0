import { SvelteKitAuth } from '@auth/sveltekit'
import { json } from '@sveltejs/kit'
import { config } from '../../../../../bench/lib/site.mjs'

export const { handle } = SvelteKitAuth(config)

export async function GET({ locals }) {
  const session = await locals.auth()
  return json({ hello: session?.user?.name })
}
