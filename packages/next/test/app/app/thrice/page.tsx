import { Suspense } from 'react'
import { auth } from '../../auth'
import { Who } from '../who'

async function Part() {
  return <Who session={await auth()} />
}

export default async function Page() {
  await auth()
  return (
    <>
      <Part />
      <Suspense>
        <Part />
      </Suspense>
    </>
  )
}
