import { auth } from '../../auth'

export const prerender = false
export const ALL = auth.endpoint
