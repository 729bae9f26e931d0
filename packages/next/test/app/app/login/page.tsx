import { signIn } from '../../auth'

/** A form of the application, which works without scripts. */
export default async function Login({
  searchParams,
}: {
  searchParams: Promise<{ callbackUrl?: string; error?: string; code?: string }>
}) {
  const { callbackUrl, error, code } = await searchParams
  return (
    <form
      action={async form => {
        'use server'
        await signIn('credentials', form)
      }}
    >
      <p id="error">{[error, code].filter(Boolean).join(' ')}</p>
      <input name="name" />
      <input name="password" type="password" />
      <input name="redirectTo" type="hidden" value={callbackUrl ?? '/page'} />
      <button type="submit">Sign in</button>
    </form>
  )
}
