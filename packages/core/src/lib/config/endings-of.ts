import type { Endings, LazyEndings } from '../session/endings.ts'
import type { Lifetime } from '../session/lifetime.ts'
import type { AuthConfig } from './options.ts'

/** How sessions in cookies are ended before their time; null if they are not. */
export function endingsOf(options: AuthConfig, lifetime: Lifetime): LazyEndings | null {
  const wish = options.session?.revocation
  const log = wish === false ? null : (wish?.log ?? options.adapter?.revocations)
  // Applications that wrap each member of an adapter in a function make one of this, too.
  if (!log?.since) return null
  let opening: Promise<Endings> | undefined
  const endings = {
    opened: null as Endings | null,
    open() {
      opening ??= import('../revocation/open-endings.ts').then(({ endingsFor }) => {
        endings.opened = endingsFor(log, { ...options, ...options.ports, ...wish, ...lifetime })
        return endings.opened
      })
      return opening
    },
  }
  return endings
}
