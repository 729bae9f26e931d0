import { contender } from './contender.js'

export const onRequest = contender.onRequest
