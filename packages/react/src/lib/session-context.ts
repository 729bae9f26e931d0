import type { SessionContextValue } from '@siteauth/client/integration'
import { type Context, createContext } from 'react'

/** Where `useSession` finds what its provider knows. Tests can provide their own value. */
export const SessionContext: Context<SessionContextValue | undefined> =
  /* @__PURE__ */ createContext<SessionContextValue | undefined>(undefined)
