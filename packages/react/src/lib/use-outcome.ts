import {
  type Forms,
  type LastOutcome,
  NOTHING_SENT,
  watchOutcomes,
} from '@siteauth/client/integration'
import { useMemo, useState } from 'react'

/** The functions, watched: the component learns what became of the last one. They stay the same while it lives. */
export function useOutcome<Calls extends Forms<keyof Calls>>(calls: Calls): Calls & LastOutcome {
  const [last, setLast] = useState(NOTHING_SENT)
  const watched = useMemo(() => watchOutcomes(calls, setLast), [calls])
  return { ...watched, ...last }
}
