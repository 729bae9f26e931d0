import { lazy } from '../../../auth'

export const GET = lazy.auth(async request => Response.json(request.auth?.user ?? null))
