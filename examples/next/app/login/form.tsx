'use client'
import { useActionState } from 'react'
import { login } from './login'

export function LoginForm({ redirectTo }: { redirectTo: string }) {
  const [problem, submit, isPending] = useActionState(login, null)
  return (
    <form action={submit} style={{ display: 'grid', gap: '1rem' }}>
      <label>
        Name <input name="login" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <input name="redirectTo" type="hidden" value={redirectTo} />
      {problem && <p role="alert">{problem}</p>}
      <button type="submit" disabled={isPending}>
        Sign in
      </button>
    </form>
  )
}
