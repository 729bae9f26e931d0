import type { CaughtMail } from './caught-mail.ts'

/** What was caught, and how to find it. */
export interface MailBox {
  /** All messages, the latest last. */
  readonly messages: readonly CaughtMail[]
  /** The latest message to an address. Throws if there is none. */
  to(address: string): CaughtMail
  /** The same, once there is one. Fails after five seconds, or as many as are said. */
  waitFor(address: string, options?: { readonly seconds?: number }): Promise<CaughtMail>
  /** Throws all messages away. */
  clear(): void
}

/** A box, and the slot in it. */
export function createMailBox(): { readonly box: MailBox; add(mail: CaughtMail): void } {
  let messages: readonly CaughtMail[] = []
  const waiting = new Set<(mail: CaughtMail) => void>()

  const latest = (address: string) =>
    messages.findLast(({ to }) => to.toLowerCase() === address.toLowerCase())

  function nothingFor(address: string): Error {
    const others = [...new Set(messages.map(({ to }) => to))].join(', ') || 'nobody'
    return new Error(`No mail for ${address} was caught. There is some for: ${others}.`)
  }

  return {
    add(mail) {
      messages = [...messages, mail]
      for (const tell of waiting) tell(mail)
    },
    box: {
      get messages() {
        return messages
      },
      to(address) {
        const mail = latest(address)
        if (!mail) throw nothingFor(address)
        return mail
      },
      waitFor(address, { seconds = 5 } = {}) {
        const mail = latest(address)
        if (mail) return Promise.resolve(mail)
        return new Promise((resolve, reject) => {
          const tell = (arrived: CaughtMail) => {
            if (arrived.to.toLowerCase() !== address.toLowerCase()) return
            stop()
            resolve(arrived)
          }
          const giveUp = () => {
            stop()
            reject(nothingFor(address))
          }
          const timer = setTimeout(giveUp, seconds * 1000)
          const stop = () => {
            clearTimeout(timer)
            waiting.delete(tell)
          }
          waiting.add(tell)
        })
      },
      clear() {
        messages = []
      },
    },
  }
}
