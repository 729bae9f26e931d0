import type { EmailConfig } from '@siteauth/core/providers'
import { type ProductionOption, rejectProduction } from '../reject-production.ts'
import { type MailContent, readMail } from './caught-mail.ts'
import { createMailBox, type MailBox } from './mail-box.ts'
import { createTransport, type MailTransport } from './mail-transport.ts'

/** Catches mail in the process that sends it. */
export interface MailCatcher extends MailBox {
  /** For any email provider, in place of its own. */
  readonly sendVerificationRequest: EmailConfig['sendVerificationRequest']
  /** For Nodemailer: `server` of the provider, or `createTransport` in code of your own. */
  readonly transport: MailTransport
}

/**
 * Creates a mail catcher: what is sent stays in the test, where it can be read.
 *
 * @example
 * ```ts
 * import { MemoryAdapter } from '@siteauth/adapters/memory'
 * import { createAuth } from '@siteauth/core'
 * import Resend from '@siteauth/core/providers/resend'
 * import { Visitor } from '@siteauth/testing'
 * import { createMailCatcher } from '@siteauth/testing/mail'
 * import { expect, it } from 'vitest'
 *
 * const mail = createMailCatcher()
 * const auth = createAuth({
 *   secret: crypto.randomUUID(),
 *   trustHost: true,
 *   adapter: MemoryAdapter(),
 *   providers: [Resend({ sendVerificationRequest: mail.sendVerificationRequest })],
 * })
 *
 * it('signs in with a link', async () => {
 *   const visitor = new Visitor(auth.handle)
 *   await visitor.post('/signin/resend', { email: 'ada@example.com' })
 *   const { link } = mail.to('ada@example.com')
 *   if (link) await visitor.openLink(link)
 *   expect(await visitor.session()).toMatchObject({ user: { email: 'ada@example.com' } })
 * })
 * ```
 */
export function createMailCatcher(options: ProductionOption = {}): MailCatcher {
  rejectProduction('createMailCatcher', options)
  const { box, add } = createMailBox()
  return Object.assign(box, {
    sendVerificationRequest: ({
      identifier: to,
      url,
      code,
      message,
      provider,
    }: Parameters<EmailConfig['sendVerificationRequest']>[0]) => {
      const from = provider.from ?? null
      add({ to, from, ...message, link: new URL(url), code: code ?? null })
    },
    transport: createTransport((content: MailContent) => add(readMail(content))),
  })
}
