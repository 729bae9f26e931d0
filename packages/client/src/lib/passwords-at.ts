import type { FindEndpoints } from './endpoints.ts'
import type { PasswordFunctions } from './password-functions.ts'
import { post, type Submitted, submit, targetOf } from './submit.ts'

/** Makes the functions about passwords, for the endpoints at one place. */
export function passwordsAt(find: FindEndpoints): PasswordFunctions {
  return {
    // Nobody is signed in by it: no provider has to know.
    sendPasswordLink: ({ purpose, email, ...to }) =>
      post(find(), purpose === 'sign-up' ? 'password/sign-up' : 'password/forgot', {
        email,
        callbackUrl: targetOf(to),
      }).then(withoutUrl),
    choosePassword: ({ provider = 'password', ...fields }) =>
      stay(find(), `callback/${encodeURIComponent(provider)}`, fields),
    changePassword: fields => stay(find(), 'password', { ...fields }),
    removePassword: fields => stay(find(), 'password/remove', { ...fields }),
  }
}

async function stay(
  base: string,
  path: string,
  fields: Record<string, unknown>,
): Promise<Submitted> {
  // Sound: there is an outcome where the page is not left.
  return (await submit(base, path, { ...fields, redirect: false })) as Submitted
}

function withoutUrl(outcome: Submitted): Submitted {
  return { ...outcome, url: outcome.ok ? outcome.url : null }
}
