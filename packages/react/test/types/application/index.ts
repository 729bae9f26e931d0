// Compiled by `npm run check`: an application that names none of the types it uses.
import {
  type AuthClient,
  type ClientSafeProvider,
  createAuthClient,
  type DefaultSession,
  type GetSessionParams,
  getCsrfToken,
  getProviders,
  getSession,
  type Session,
  SessionContext,
  type SessionContextValue,
  SessionProvider,
  type SessionProviderProps,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInResponse,
  type SignOutParams,
  type SignOutResponse,
  signIn,
  signOut,
  type UpdateSession,
  type UseSessionOptions,
  useSession,
} from '@siteauth/react'
import { createElement } from 'react'

type Equal<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false

function expectType<T>(): { toBe<U>(same: Equal<T, U>): void } {
  return { toBe: () => undefined }
}

// Exported without types: each must be nameable in a declaration.
export const client = createAuthClient({ basePath: '/auth' })
export const useWhatever = () => useSession()
export const useMember = () => useSession({ required: true })
export const tryToSignIn = () => signIn('credentials', { password: 'x', redirect: false })
export const leave = () => signOut({ redirect: false })
export const provider = createElement(SessionProvider, { session: null }, 'page')
export const reads = [getSession, getCsrfToken, getProviders, SessionContext] as const

export function useNames(): void {
  const anybody = useSession()
  expectType<typeof anybody.status>().toBe<'authenticated' | 'unauthenticated' | 'loading'>(true)
  if (anybody.status === 'authenticated') expectType<typeof anybody.data>().toBe<Session>(true)
  if (anybody.status === 'unauthenticated') expectType<typeof anybody.data>().toBe<null>(true)

  const member = useSession({ required: true, onUnauthenticated() {} })
  expectType<typeof member.status>().toBe<'authenticated' | 'loading'>(true)
  const explicit = useSession<true>({ required: true })
  expectType<typeof explicit>().toBe<SessionContextValue<true>>(true)

  interface MySession extends DefaultSession {
    role: 'reader' | 'editor'
  }
  const mine = useSession<MySession>()
  expectType<typeof mine>().toBe<SessionContextValue<false, MySession>>(true)
  if (mine.data) expectType<typeof mine.data.role>().toBe<'reader' | 'editor'>(true)
  const mineForSure = useSession<MySession>({ required: true })
  if (mineForSure.status === 'authenticated') {
    expectType<typeof mineForSure.data>().toBe<MySession>(true)
  }
  // @ts-expect-error a session has an end
  useSession<{ role: string }>()
}

export async function outcomes(): Promise<void> {
  expectType<Awaited<ReturnType<typeof tryToSignIn>>>().toBe<SignInResponse>(true)
  expectType<Awaited<ReturnType<typeof leave>>>().toBe<SignOutResponse>(true)
  const gone: Promise<void> = signIn('github', { redirectTo: '/' }, { login_hint: 'ann' })
  const out: Promise<void> = signOut()
  await Promise.all([gone, out])
}

export const form = createElement('form', { action: () => signIn() })

export type Types = [
  AuthClient,
  ClientSafeProvider,
  GetSessionParams,
  SessionProviderProps,
  SignInAuthorizationParams,
  SignInOptions,
  SignOutParams,
  UpdateSession,
  UseSessionOptions<true>,
]
