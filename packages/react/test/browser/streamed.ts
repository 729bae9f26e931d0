// A page whose last part the server sends later, when the browser knows already who is signed in.
import { SessionProvider, useSession } from '@siteauth/react'
import { createElement, Fragment, type ReactElement, Suspense } from 'react'

/** @param late what the server waits for; nothing in the browser */
export function Streamed({ late }: { late?: () => Promise<void> | undefined }): ReactElement {
  const waiting = createElement('p', null, 'waiting')
  return createElement(
    SessionProvider,
    { basePath: '/auth' },
    createElement(Who, { place: 'early' }),
    createElement(Suspense, { fallback: waiting }, createElement(Who, { place: 'late', late })),
  )
}

interface WhoProps {
  place: string
  late?: (() => Promise<void> | undefined) | undefined
}

function Who({ place, late }: WhoProps): ReactElement {
  const { data, status } = useSession()
  const pending = late?.()
  // How React is told to wait, in all versions.
  if (pending) throw pending
  const text = `${place} ${status}: ${data?.user?.name ?? 'nobody'}`
  return createElement(Fragment, null, createElement('p', null, text))
}
