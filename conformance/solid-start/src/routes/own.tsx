import { createAsync } from '@solidjs/router'
import { nameOfPrivate } from '../functions'

// Guarded by its server function alone.
export default function Own() {
  const name = createAsync(() => nameOfPrivate(), { deferStream: true })
  return <p>{name() ? `Own: ${name()}` : ''}</p>
}
