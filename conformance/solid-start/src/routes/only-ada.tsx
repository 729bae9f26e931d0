import { createAsync } from '@solidjs/router'
import { readOnlyAda } from '../guarded'

export default function OnlyAda() {
  const text = createAsync(() => readOnlyAda(), { deferStream: true })
  return <p>{text()}</p>
}
