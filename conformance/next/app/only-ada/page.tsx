import { mayPass } from '../../guarded'
import { probe } from '../../probe'

export default async function OnlyAda() {
  return <p>{(await mayPass(probe.allow)) ? probe.ran() : 'This is not for you.'}</p>
}
