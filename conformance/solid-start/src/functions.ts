import { CredentialsSignin } from '@siteauth/solid-start'
import { action, query, redirect } from '@solidjs/router'
import { auth } from './auth'

export const sessionOfPage = query(async () => {
  'use server'
  return auth.getSession().catch(() => null)
}, 'session')

export const nameOfPrivate = query(async () => {
  'use server'
  return (await auth.requireSession()).user?.name ?? ''
}, 'private')

export const nameLater = query(async () => {
  'use server'
  await new Promise(resolve => setTimeout(resolve, 50))
  return (await auth.getSession())?.user?.name ?? 'stranger'
}, 'later')

export const nameAtOnce = query(async () => {
  'use server'
  return (await auth.getSession())?.user?.name ?? 'stranger'
}, 'at once')

export const nameThenElsewhere = query(async () => {
  'use server'
  await auth.getSession()
  throw redirect('/')
}, 'elsewhere')

export const secret = action(async () => {
  'use server'
  const { user } = await auth.requireSession({ allow: ({ user }) => user?.name !== 'Bob' })
  return `the secret of ${user?.name}`
}, 'secret')

export const enter = action(async (form: FormData) => {
  'use server'
  const { name, password } = Object.fromEntries(form)
  try {
    return await auth.signIn('credentials', { name, password, redirectTo: '/action' })
  } catch (error) {
    if (error instanceof CredentialsSignin) return 'Who are you?'
    throw error
  }
}, 'enter')

export const enterQuietly = action(async (form: FormData) => {
  'use server'
  await auth.signIn('credentials', { name: form.get('name'), password: form.get('password') })
  throw redirect('/later')
}, 'enterQuietly')

export const leave = action(async () => {
  'use server'
  throw await auth.signOut({ redirectTo: '/' })
}, 'leave')

export const leaveAndFail = action(async () => {
  'use server'
  await auth.signOut()
  throw new Error('The action failed after that.')
}, 'leaveAndFail')

export const rename = action(async (form: FormData) => {
  'use server'
  await auth.update({ name: form.get('name') })
}, 'rename')
