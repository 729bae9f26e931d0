import { createAsync } from '@solidjs/router'
import { HttpHeader } from '@solidjs/start'
import { nameLater } from '../functions'

export default function Later() {
  const name = createAsync(() => nameLater(), { deferStream: true })
  return (
    <>
      <HttpHeader name="cache-control" value="public, max-age=60" />
      <p>{`Later: ${name()}`}</p>
    </>
  )
}
