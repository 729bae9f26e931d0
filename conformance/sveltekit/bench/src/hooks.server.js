import { contender } from './contender.js'

export const { handle } = contender
