import { createAsync } from '@solidjs/router'
import { HttpStatusCode } from '@solidjs/start'
import { Show } from 'solid-js'
import { readAny } from '../guarded'

export default function NotFound() {
  const any = createAsync(() => readAny(), { deferStream: true })
  return (
    <Show when={any()} fallback={<Missing />}>
      <p>{any()}</p>
    </Show>
  )
}

function Missing() {
  return (
    <>
      <HttpStatusCode code={404} />
      <p>Not found</p>
    </>
  )
}
