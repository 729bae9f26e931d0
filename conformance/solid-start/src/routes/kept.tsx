import { createAsync } from '@solidjs/router'
import { nameAtOnce } from '../functions'

export default function Kept() {
  const name = createAsync(() => nameAtOnce(), { deferStream: true })
  return <p>{`Kept: ${name()}`}</p>
}
