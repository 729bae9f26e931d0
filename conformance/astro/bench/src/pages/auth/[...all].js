import { contender } from '../../contender.js'

export const ALL = contender.endpoint
