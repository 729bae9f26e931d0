import { mayPass } from '../../../guarded'
import { probe } from '../../../probe'
import { write } from '../../sent/actions'

export default async function Files() {
  if (!(await mayPass())) return <p>Nobody is signed in.</p>
  return (
    <form action={write}>
      <p>{probe.ran()}</p>
      <button type="submit">Write</button>
    </form>
  )
}
