import { useMemo, useRef, useState } from 'react'
import type { Submitted } from './submit.ts'

/** What became of the forms of a component. */
export interface LastOutcome {
  /** Whether one is under way. */
  readonly isPending: boolean
  /** What became of the last one; null before, while one is under way, and if it threw. */
  readonly outcome: Submitted | null
}

/** Functions that send a form each. */
type Forms<Names extends PropertyKey> = Readonly<
  Record<Names, (...given: never[]) => Promise<Submitted>>
>

/** The functions, watched: the component learns what became of the last one. They stay the same while it lives. */
export function useOutcome<Calls extends Forms<keyof Calls>>(calls: Calls): Calls & LastOutcome {
  const [last, setLast] = useState<LastOutcome>({ isPending: false, outcome: null })
  const latest = useRef(0)
  const watched = useMemo(() => {
    const entries = Object.entries<(...given: never[]) => Promise<Submitted>>(calls)
    const watching = entries.map(([name, call]) => [
      name,
      async (...given: never[]) => {
        const turn = ++latest.current
        setLast({ isPending: true, outcome: null })
        let outcome: Submitted | null = null
        try {
          outcome = await call(...given)
          return outcome
        } finally {
          // One that was sent later counts, whichever is answered first.
          if (turn === latest.current) setLast({ isPending: false, outcome })
        }
      },
    ])
    return Object.fromEntries(watching) as Calls // each takes and answers what it did
  }, [calls])
  return { ...watched, ...last }
}
