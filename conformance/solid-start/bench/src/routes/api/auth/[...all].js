import { contender } from '../../../contender.js'

export const GET = event => contender.endpoint(event)
export const POST = event => contender.endpoint(event)
