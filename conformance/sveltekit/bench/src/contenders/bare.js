import { json } from '@sveltejs/kit'
import { user } from '../../../../../bench/lib/site.mjs'

export const GET = () => json({ hello: user.name })
