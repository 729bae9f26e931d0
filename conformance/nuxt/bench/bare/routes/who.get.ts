import { user } from '../../../../../bench/lib/site.mjs'

export default defineEventHandler(() => ({ hello: user.name }))
