import { createAsync } from '@solidjs/router'
import { nameThenElsewhere } from '../functions'

export default function Elsewhere() {
  const nothing = createAsync(() => nameThenElsewhere(), { deferStream: true })
  return <p>{nothing()}</p>
}
