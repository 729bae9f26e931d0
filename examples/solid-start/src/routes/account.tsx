import { createAsync } from '@solidjs/router'
import { account } from '../functions'

export default function Account() {
  const mine = createAsync(() => account(), { deferStream: true })
  return <p>{mine() && `The account of ${mine()?.name}`}</p>
}
