import { split } from '../../auth'
import { Who } from '../who'

/** Behind a proxy whose configuration has another `jwt` callback. */
export default async function Page() {
  return <Who session={await split.auth()} />
}
