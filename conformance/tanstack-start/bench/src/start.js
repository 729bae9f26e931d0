import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import { contender } from './contender.js'

const own = contender.middleware ? [createMiddleware().server(contender.middleware)] : []
const forFunctions = createCsrfMiddleware({
  filter: ({ handlerType }) => handlerType === 'serverFn',
})

export const startInstance = createStart(() => ({ requestMiddleware: [...own, forFunctions] }))
