import { auth } from '../auth'

export const POST = () => auth.signIn()
