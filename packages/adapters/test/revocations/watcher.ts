import type { NewRevocation, RevocationEntry, RevocationLog } from '@siteauth/core/adapters'

export function sampleRevocation(): NewRevocation {
  return { key: `s:${crypto.randomUUID()}`, until: new Date(Date.now() + 3_600_000) }
}

export type Watcher = Awaited<ReturnType<typeof watch>>

/** Watches a log, and waits for what is to happen. */
export async function watch(log: RevocationLog) {
  const heard = new Set<string>()
  let losses = 0
  let listenings = 0
  let onChange = () => {}
  const until = (isSo: () => boolean) =>
    new Promise<void>(resolve => {
      onChange = () => {
        if (isSo()) resolve()
      }
      onChange()
    })
  const stop = await log.watch?.(
    ({ key }: RevocationEntry) => {
      heard.add(key)
      onChange()
    },
    () => {
      losses++
      onChange()
    },
    () => {
      listenings++
    },
  )
  return {
    heard: ({ key }: NewRevocation) => heard.has(key),
    hears: ({ key }: NewRevocation) => until(() => heard.has(key)),
    untilLost: () => until(() => losses > 0),
    losses: () => losses,
    /** How often it has begun to listen. */
    listenings: () => listenings,
    stop: async () => stop?.(),
  }
}

/** Whether something that is ended now has been heard of, or anything since it was asked first. */
export async function hearsNow(watcher: Watcher, log: RevocationLog): Promise<boolean> {
  await log.end([HEARD])
  return watcher.heard(HEARD)
}

const HEARD = sampleRevocation()
