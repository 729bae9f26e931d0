import { CredentialsSignin } from '@siteauth/sveltekit'
import { fail } from '@sveltejs/kit'
import { auth } from '../../auth'
import { probe } from '../../probe'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = () => ({ title: probe.signInPage })

export const actions: Actions = {
  async default(event) {
    const { name, password } = Object.fromEntries(await event.request.formData())
    try {
      return await auth.signIn(event, 'credentials', { name, password, redirectTo: '/private' })
    } catch (error) {
      if (error instanceof CredentialsSignin) return fail(401, { error: 'Who are you?' })
      throw error
    }
  },
}
