import type { Endings, LazyEndings } from '../session/endings.ts'
import type { Lifetime } from '../session/lifetime.ts'
import type { AuthConfig } from './options.ts'

/** How sessions in cookies are ended before their time; null where they are not. */
export function endingsOf(options: AuthConfig, lifetime: Lifetime): LazyEndings | null {
  const { session, adapter, ports, logger, debug } = options
  const wish = session?.revocation
  const log = wish === false ? null : (wish?.log ?? adapter?.revocations)
  // Applications that wrap each member of an adapter in a function make one of this, too.
  if (typeof log?.since !== 'function') return null
  let opening: Promise<Endings> | undefined
  let opened: Endings | null = null
  return {
    get opened() {
      return opened
    },
    open() {
      opening ??= import('../revocation/open-endings.ts').then(({ endingsFor }) => {
        opened = endingsFor(log, { ...wish, ...ports, ...lifetime, logger, debug })
        return opened
      })
      return opening
    },
  }
}
