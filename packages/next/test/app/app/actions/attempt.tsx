'use client'
import type { SignInResult } from '@siteauth/next'
import { useActionState } from 'react'

type Attempted = SignInResult | null

/** A form that shows how signing in went, without leaving the page. */
export function Attempt({
  attempt,
}: {
  attempt: (before: Attempted, form: FormData) => Promise<Attempted>
}) {
  const [result, submit] = useActionState(attempt, null)
  return (
    <form action={submit}>
      <output id="attempt">{JSON.stringify(result)}</output>
      <input name="name" />
      <input name="password" type="password" />
      <button type="submit" id="try">
        Try
      </button>
    </form>
  )
}
