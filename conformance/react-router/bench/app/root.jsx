import { Outlet } from 'react-router'
import { contender } from './contender.server.js'

export const middleware = contender.middleware

export default function Root() {
  return (
    <html lang="en">
      <body>
        <Outlet />
      </body>
    </html>
  )
}
