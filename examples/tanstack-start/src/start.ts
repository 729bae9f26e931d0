import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import { auth } from './auth'

export const startInstance = createStart(() => ({
  requestMiddleware: [
    createMiddleware().server(auth.middleware),
    createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' }),
  ],
}))
