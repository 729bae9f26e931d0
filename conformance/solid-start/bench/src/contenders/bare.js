import { user } from '../../../../../bench/lib/site.mjs'

export const who = () => Response.json({ hello: user.name })
