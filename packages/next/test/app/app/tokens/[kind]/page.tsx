import { Suspense } from 'react'
import { showToken } from '../../../show-token'
import { Who } from '../../who'

type Props = { params: Promise<{ kind: string }> }

async function Shown({ params }: Props) {
  return <Who session={{ user: await showToken((await params).kind) }} />
}

export default function Page({ params }: Props) {
  return (
    <Suspense>
      <Shown params={params} />
    </Suspense>
  )
}
