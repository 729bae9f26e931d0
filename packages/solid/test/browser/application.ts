import { type Session, SessionProvider, signIn, signOut, useSession } from '@siteauth/solid'
import { createComponent, type JSX } from 'solid-js'
import {
  escape as escapeText,
  getNextElement,
  insert,
  isServer,
  ssr,
  ssrHydrationKey,
  template,
} from 'solid-js/web'

function Page(): JSX.Element {
  const session = useSession()
  const who = () => `${session().status}: ${session().data?.user?.name ?? 'nobody'}`
  const ann = { name: 'Ann', redirect: false }
  return [
    element('p', who),
    element(
      'button',
      () => 'Sign in',
      () => signIn('credentials', ann),
    ),
    element(
      'button',
      () => 'Sign out',
      () => signOut({ redirect: false }),
    ),
  ]
}

/** An element with a text, as the compiler of Solid writes it for servers and for pages. */
function element(name: string, text: () => string, onClick?: () => unknown): JSX.Element {
  if (isServer) {
    const parts = [`<${name}`, '>', `</${name}>`]
    return ssr(parts, ssrHydrationKey(), escapeText(text())) as unknown as JSX.Element
  }
  const node = getNextElement(template(`<${name}>`)) as HTMLElement
  insert(node, text)
  if (onClick) node.addEventListener('click', onClick)
  return node
}

export function createPage(session: Session | null | undefined): JSX.Element {
  return createComponent(SessionProvider, {
    basePath: '/auth',
    session,
    get children() {
      return createComponent(Page, {})
    },
  })
}
