import { contender } from '../contender.server.js'

export const loader = contender.who
