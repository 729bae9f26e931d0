import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import { auth, inFront } from './auth'

export const startInstance = createStart(() => ({
  requestMiddleware: [
    createMiddleware().server(auth.middleware),
    createMiddleware().server(inFront),
    createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' }),
  ],
}))
