import { createAsync } from '@solidjs/router'
import { Suspense } from 'solid-js'
import { nameAtOnce } from '../functions'

// Nothing waits for the name: the page is sent before it is known.
export default function Streamed() {
  const name = createAsync(() => nameAtOnce())
  return <Suspense fallback={<p>Wait</p>}>{`Streamed: ${name()}`}</Suspense>
}
