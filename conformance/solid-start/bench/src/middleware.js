import { createMiddleware } from '@solidjs/start/middleware'
import { contender } from './contender.js'

export default createMiddleware(contender.middleware ?? {})
