import { useMemo, useRef, useState } from 'react'
import type { PasswordFunctions } from './password-functions.ts'
import type { Submitted } from './submit.ts'

/** What a form about a password needs: functions to send it, and what became of it. */
export interface PasswordForm extends PasswordFunctions {
  /** Whether one is under way. */
  readonly isPending: boolean
  /** What became of the last one; null before, and while one is under way. */
  readonly outcome: Submitted | null
}

/** Passwords in a component. See `usePassword`. */
export type UsePassword = () => PasswordForm

/** Makes the hook. */
export function createUsePassword(calls: PasswordFunctions): UsePassword {
  return function usePassword() {
    const [isPending, setPending] = useState(false)
    const [outcome, setOutcome] = useState<Submitted | null>(null)
    const latest = useRef(0)
    const functions = useMemo(() => {
      function watching<Given>(call: (given: Given) => Promise<Submitted>) {
        return async (given: Given) => {
          const turn = ++latest.current
          setPending(true)
          setOutcome(null)
          const became = await call(given)
          // One that was sent later counts, whichever is answered first.
          if (turn === latest.current) {
            setPending(false)
            setOutcome(became)
          }
          return became
        }
      }
      return {
        askForPassword: watching(calls.askForPassword),
        choosePassword: watching(calls.choosePassword),
        changePassword: watching(calls.changePassword),
        removePassword: watching(calls.removePassword),
      }
    }, [])
    return { ...functions, isPending, outcome }
  }
}
