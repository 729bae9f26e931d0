/** A connection on which messages arrive. */
export interface Link {
  close(): unknown
}

/** Opens a link. `onClosed` is called when it is lost, whoever closed it. */
export type OpenLink = (onClosed: () => void) => Promise<Link>

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 60_000

/**
 * Keeps a link open, and opens another whenever it is lost, until stopped. `onLost` is called once
 * for each loss, and if the first cannot be opened, which is not an error: listeners have other
 * ways to learn what they missed. `onListening` is called whenever one is open. Resolves once the first was opened or failed to
 * open.
 */
export async function keepListening(
  open: OpenLink,
  onLost: () => void,
  onListening: () => void = () => {},
): Promise<() => Promise<void>> {
  let isStopped = false
  let isLost = false
  let link: Link | null = null
  let pause = FIRST_PAUSE_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  function lose(): void {
    link = null
    if (isStopped) return
    if (!isLost) onLost()
    isLost = true
    // At a random time, so that not all processes connect at once when a server is back.
    timer = setTimeout(listen, pause * (0.5 + Math.random() / 2))
    // This alone must not keep the process alive.
    if (typeof timer === 'object') timer.unref()
    pause = Math.min(pause * 2, MAX_PAUSE_MS)
  }

  async function listen(): Promise<void> {
    // A link that is lost while it is opened may report that twice.
    let isClosed = false
    const onClosed = () => {
      if (isClosed) return
      isClosed = true
      lose()
    }
    try {
      const opened = await open(onClosed)
      if (isStopped || isClosed) {
        await closeQuietly(opened)
        return
      }
      link = opened
      isLost = false
      pause = FIRST_PAUSE_MS
      onListening()
    } catch {
      onClosed()
    }
  }

  await listen()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    if (link) await closeQuietly(link)
    link = null
  }
}

/** Closes a link that may be closed already, which some drivers treat as an error. */
export async function closeQuietly(link: Link): Promise<void> {
  try {
    await link.close()
  } catch {
    // It is closed already.
  }
}
