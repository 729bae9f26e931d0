/** A message that was caught. */
export interface CaughtMail {
  /** The address alone, as it was sent to. */
  readonly to: string
  /** The sender, if one was named. */
  readonly from: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The link that signs in, or the first of another message; null if there is none. */
  readonly link: URL | null
  /** The code, such as `WDJB-MJHT`; null if there is none. */
  readonly code: string | null
}

/** As much of a message as the ways to catch one agree on. */
export type MailContent = Omit<CaughtMail, 'link' | 'code'>

/** Reads a message for what people look for in it. */
export function readMail(content: MailContent): CaughtMail {
  const [address] = content.text.match(/https?:\/\/[^\s<>"]+/) ?? []
  // The letters of our codes: docs/guide/email.md.
  const [code = null] =
    content.text.match(/\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b/) ?? []
  return { ...content, link: address && URL.canParse(address) ? new URL(address) : null, code }
}
