import type { PasswordCalls } from '@siteauth/core/integration'
import type { ChoosePasswordOptions, PasswordLinkOptions } from '@siteauth/core/types'
import type { FindEndpoints } from './endpoints.ts'
import type { EndpointPath } from './request.ts'
import { type Destination, post, type SubmitResult, submit, targetOf } from './submit.ts'

/** The password that a user chose behind a link. */
export interface ClientChoosePasswordOptions extends ChoosePasswordOptions {
  /** The id of the provider. Defaults to `password`. */
  readonly provider?: string | undefined
}

/** Passwords, for forms of your own. Each call resolves with the outcome, even on failure, and the page stays. */
export interface ClientPasswordCalls extends PasswordCalls<[], SubmitResult> {
  /** Stores the password that was chosen behind a link, signs the user in and ends the user's other sessions. */
  choose(options: ClientChoosePasswordOptions | FormData): Promise<SubmitResult>
}

/** Makes the calls about passwords, for the endpoints at one place. */
export function passwordsAt(find: FindEndpoints): ClientPasswordCalls {
  return {
    // Nobody is signed in by it: no provider has to know.
    async sendLink(options) {
      const { purpose, email, ...to } = fieldsOf<PasswordLinkOptions>(options)
      const path = `password/${purpose === 'sign-up' ? purpose : 'forgot'}` as const
      const callbackUrl = targetOf(to as Destination) // of a form, it is text as well
      const outcome = await post(find(), path, { email, callbackUrl })
      return { ...outcome, url: outcome.ok ? outcome.url : null }
    },
    choose(options) {
      const { provider = 'password', ...fields } = fieldsOf<ClientChoosePasswordOptions>(options)
      return stay(find(), `callback/${encodeURIComponent(provider)}`, fields)
    },
    change: options => stay(find(), 'password', options),
    remove: options => stay(find(), 'password/remove', options),
  }
}

function stay(base: string, path: EndpointPath, options: object | FormData): Promise<SubmitResult> {
  // Sound: there is an outcome where the page is not left.
  return submit(base, path, { ...fieldsOf(options), redirect: false }) as Promise<SubmitResult>
}

/** The members of options, or the fields of a form. The server checks the fields: a form may have any. */
function fieldsOf<Options extends object>(options: Options | FormData): Options {
  return options instanceof FormData ? (Object.fromEntries(options) as Options) : options
}
