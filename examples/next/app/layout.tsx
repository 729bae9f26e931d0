import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body style={{ font: '1rem/1.5 system-ui', maxWidth: '30rem', margin: '4rem auto' }}>
        {children}
      </body>
    </html>
  )
}
