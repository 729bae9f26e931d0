// Compiled by `npm run check`: fields that are added in one place show up in all of them.
import { getSession, type Session, useSession } from '@siteauth/react'

declare module '@siteauth/core/types' {
  interface Session {
    role: 'reader' | 'editor'
  }
}

export function useRole(): 'reader' | 'editor' | undefined {
  return useSession().data?.role
}

export async function readRole(): Promise<Session['role'] | undefined> {
  return (await getSession())?.role
}
