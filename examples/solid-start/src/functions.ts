import { query } from '@solidjs/router'
import { auth } from './auth'

export const visitor = query(async () => {
  'use server'
  const session = await auth.getSession()
  return { name: session?.user?.name ?? null }
}, 'visitor')

export const account = query(async () => {
  'use server'
  const { user } = await auth.requireSession()
  return { name: user?.name }
}, 'account')
