// What runs in the browser: one page that says who is signed in, with a button for each way to
// change that.
import {
  getSession,
  SessionProvider,
  type SessionProviderProps,
  signIn,
  signOut,
  useSession,
  useSignIn,
} from '@siteauth/react'
import { useSessions } from '@siteauth/react/sessions'
import { createElement, Fragment, type ReactElement, StrictMode, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Streamed } from './streamed.ts'

/** What the server puts into the page. */
interface Settings extends SessionProviderProps {
  isStrict: boolean
}

const settings: Settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}')
const place = document.getElementById('root') ?? document.body
const isStreamed = location.pathname === '/streamed'
const root = isStreamed
  ? // What React can make good by rendering anew is a fault nevertheless.
    hydrateRoot(place, createElement(Streamed), { onRecoverableError: reportError })
  : createRoot(place)
let renders = 0

function Page(): ReactElement {
  const { data, status, error, refresh, update } = useSession()
  const [outcome, setOutcome] = useState('')
  const button = (name: string, act: () => Promise<unknown>) =>
    createElement(
      'button',
      { type: 'button', onClick: async () => setOutcome(JSON.stringify(await act())) },
      name,
    )
  const who = `${status}: ${data?.user?.name ?? 'nobody'}${error ? ', perhaps' : ''}`
  const ann = { name: 'Ann', password: 'right' }
  renders++
  return createElement(
    Fragment,
    null,
    createElement('p', { role: 'status' }, who),
    createElement('output', null, outcome),
    button('Sign in', () => signIn('credentials', { ...ann, redirect: false })),
    button('Sign in and go', () => signIn('credentials', { ...ann, redirectTo: '/?there' })),
    button('Sign in wrongly', () => signIn('credentials', { redirect: false })),
    button('Sign in with nothing', () => signIn('nothing', { redirect: false })),
    button('Choose', () => signIn()),
    button('Sign out', () => signOut({ redirect: false })),
    button('Sign out and go', () => signOut({ redirectTo: '/?gone' })),
    button('Sign in on the server', () => fetch('/server/sign-in', { method: 'POST' })),
    button('Sign out on the server', () => fetch('/server/sign-out', { method: 'POST' })),
    button('Rename', () => update({ name: 'Anna' })),
    button('Refresh', () => refresh().catch(() => 'failed')),
    button('Get', () => getSession()),
    button('Count renders', async () => renders),
  )
}

function Member(): ReactElement {
  const { data, status } = useSession({ required: true })
  return createElement('p', { role: 'status' }, `${status}: ${data?.user?.name ?? 'nobody'}`)
}

function Devices(): ReactElement {
  const { status } = useSession()
  const { data, end, endOthers } = useSessions()
  const button = (name: string, act: () => unknown) =>
    createElement('button', { key: name, type: 'button', onClick: act }, name)
  return createElement(
    Fragment,
    null,
    createElement('p', { role: 'status' }, `${status}, ${data?.length ?? 'unknown'}`),
    data?.map(({ handle, isCurrent }) =>
      button(isCurrent ? 'End this one' : 'End the other', () => end(handle)),
    ),
    button('End others', endOthers),
  )
}

function Form(): ReactElement {
  const { signIn, isPending, outcome } = useSignIn()
  const button = (name: string, password: string) =>
    createElement(
      'button',
      { type: 'button', onClick: () => signIn('credentials', { name: 'Ann', password }) },
      name,
    )
  const became = isPending ? 'under way' : (outcome?.error ?? (outcome?.ok ? 'in' : 'nothing yet'))
  return createElement(
    Fragment,
    null,
    createElement('p', { role: 'status' }, became),
    button('Wrong', 'wrong'),
    button('Right', 'right'),
    createElement(
      'button',
      { type: 'button', onClick: () => signIn('passkey').catch(reportError) },
      'Passkey',
    ),
  )
}

const pages: Readonly<Record<string, () => ReactElement>> = {
  '/member': Member,
  '/devices': Devices,
  '/form': Form,
}

function show(props: SessionProviderProps): void {
  const page = createElement(pages[location.pathname] ?? Page)
  const provider = createElement(SessionProvider, props, page)
  root.render(settings.isStrict ? createElement(StrictMode, null, provider) : provider)
}

/** Shows the page. */
export function start(): void {
  if (!isStreamed) show(settings)
  // As a framework does that renders anew on the server and keeps the page.
  window.addEventListener('render', event => {
    show({ ...settings, ...(event as CustomEvent<SessionProviderProps>).detail }) // sent by the tests
  })
}
