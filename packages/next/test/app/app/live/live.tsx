'use client'
import { type Session, SessionProvider, signIn, signOut, useSession } from '@siteauth/next/react'
import type { ReactNode } from 'react'

/** What the browser knows, beside what the server renders. */
export function Live({ children, ...told }: { children: ReactNode; session?: Session | null }) {
  return (
    <SessionProvider {...told}>
      <Known />
      {children}
    </SessionProvider>
  )
}

function Known() {
  const { data, status, error } = useSession<Session & { user?: { nick?: string } }>()
  const ann = { name: 'Ann', password: 'sesame', redirect: false as const }
  const name = data?.user?.nick ?? data?.user?.name ?? 'nobody'
  return (
    <>
      <p>{`${status}: ${name}${error ? ', perhaps' : ''}`}</p>
      <button type="button" onClick={() => signIn('credentials', ann)}>
        Client: sign in
      </button>
      <button type="button" onClick={() => signOut({ redirect: false })}>
        Client: sign out
      </button>
    </>
  )
}
