import { auth } from '../auth'

export async function POST() {
  await auth.signOut()
  throw new Error('The application failed after that.')
}
