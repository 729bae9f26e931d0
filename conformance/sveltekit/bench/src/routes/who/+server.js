import { contender } from '../../contender.js'

export const { GET } = contender
