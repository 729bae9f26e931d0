import { auth } from '../auth'

export function POST() {
  return auth.signOut({ redirectTo: '/' })
}
