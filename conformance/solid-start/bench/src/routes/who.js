import { contender } from '../contender.js'

export const GET = event => contender.who(event)
