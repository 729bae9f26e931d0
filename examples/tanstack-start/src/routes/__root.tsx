import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router'

export const Route = createRootRoute({
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width' },
      { title: 'Example' },
    ],
  }),
  component: Root,
  notFoundComponent: () => <p>There is no such page.</p>,
})

function Root() {
  return (
    <html lang="en">
      <head>
        <HeadContent />
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
        <Scripts />
      </body>
    </html>
  )
}
