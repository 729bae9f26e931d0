import type { ReactNode } from 'react'
import { auth } from '../../../auth'
import { Live } from '../live'

interface Props {
  children: ReactNode
  params: Promise<{ kind: string }>
}

/** Around pages whose provider is told who is signed in, or has to ask. */
export default async function Layout({ children, params }: Props) {
  const isTold = (await params).kind === 'told'
  return <Live {...(isTold && { session: await auth() })}>{children}</Live>
}
