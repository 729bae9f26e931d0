import type { PageServerLoad } from './$types'

// Built once, for everybody.
export const prerender = true
export const load: PageServerLoad = async ({ locals }) => ({ session: await locals.auth() })
