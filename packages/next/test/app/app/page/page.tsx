import { auth } from '../../auth'
import { Who } from '../who'

export default async function Page() {
  return <Who session={await auth()} />
}
