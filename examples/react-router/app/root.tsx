import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import type { Route } from './+types/root'
import { auth } from './auth.server'

export const middleware: Route.MiddlewareFunction[] = [auth.middleware]

export default function Root() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Example</title>
        <Meta />
        <Links />
      </head>
      <body
        style={{
          font: '1rem/1.5 system-ui',
          maxWidth: '30rem',
          margin: '4rem auto',
          padding: '0 1rem',
        }}
      >
        <Outlet />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}
