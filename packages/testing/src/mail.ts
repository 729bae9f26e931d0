export type { CaughtMail } from './lib/mail/caught-mail.ts'
export type { MailBox } from './lib/mail/mail-box.ts'
export { createMailCatcher, type MailCatcher } from './lib/mail/mail-catcher.ts'
export type { MailTransport } from './lib/mail/mail-transport.ts'
export {
  type MailServer,
  type MailServerOptions,
  startMailServer,
} from './lib/mail/start-mail-server.ts'
