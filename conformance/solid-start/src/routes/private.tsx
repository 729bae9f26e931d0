import { createAsync } from '@solidjs/router'
import { nameOfPrivate } from '../functions'

export default function Private() {
  const name = createAsync(() => nameOfPrivate(), { deferStream: true })
  return <p>{`Private: ${name()}`}</p>
}
