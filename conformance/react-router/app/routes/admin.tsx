import { isRouteErrorResponse } from 'react-router'
import { auth } from '../auth.server'
import type { Route } from './+types/admin'

export const middleware: Route.MiddlewareFunction[] = [
  auth.requireSession({ except: [], allow: ({ user }) => user?.name === 'Ada' }),
]

// Without a loader, the script would show the page without asking the server.
export const loader = () => null

export default function Admin() {
  return <p>admin</p>
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <p>Refused: {isRouteErrorResponse(error) ? error.status : 'unknown'}</p>
}
