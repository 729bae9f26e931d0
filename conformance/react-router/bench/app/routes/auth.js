import { contender } from '../contender.server.js'

export const loader = contender.endpoints?.loader
export const action = contender.endpoints?.action
