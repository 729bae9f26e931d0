import { CredentialsSignin } from '@siteauth/core/errors'
import type { AuthCalls } from '@siteauth/core/integration'
import { fail, type RequestEvent } from '@sveltejs/kit'
import type { SvelteKitAuth } from './sveltekit-auth.ts'

/** `signIn` and `signOut` that are form actions too: without further arguments, they read the form. */
export function formActions<Seen>(
  calls: Pick<AuthCalls<[event: RequestEvent], never, Seen>, 'signIn' | 'signOut'>,
): Pick<SvelteKitAuth<Seen>, 'signIn' | 'signOut'> {
  return {
    async signIn(event, provider, options, authorizationParams) {
      const form = provider === undefined && !options ? await formOf(event) : undefined
      if (!form) return calls.signIn(event, provider, options, authorizationParams)
      try {
        return await calls.signIn(event, providerIn(form), withoutProvider(form))
      } catch (thrown) {
        // Nothing else would catch it.
        if (!(thrown instanceof CredentialsSignin)) throw thrown
        return fail(401, { error: 'CredentialsSignin', code: thrown.code })
      }
    },
    async signOut(event, options) {
      const redirectTo = options ? undefined : (await formOf(event))?.get('redirectTo')
      return calls.signOut(event, typeof redirectTo === 'string' ? { redirectTo } : options)
    },
  }
}

/** The submitted form, unless it was read already. */
async function formOf({ request }: RequestEvent): Promise<FormData | undefined> {
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i
  const isUnread = !request.bodyUsed && isForm.test(request.headers.get('content-type') ?? '')
  return isUnread ? request.formData() : undefined
}

function providerIn(form: FormData): string | undefined {
  const provider = form.get('providerId')
  return typeof provider === 'string' && provider !== '' ? provider : undefined
}

/** All that is for the provider. */
function withoutProvider(form: FormData): Record<string, unknown> {
  const { providerId: _, ...fields } = Object.fromEntries(form)
  return fields
}
