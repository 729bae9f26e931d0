import { contender } from '../../contender.js'

export const dynamic = 'force-dynamic'
export const GET = contender.who
