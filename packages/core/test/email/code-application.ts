import type { AuthConfig } from '@siteauth/core'
import type { EmailConfig } from '@siteauth/core/providers'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

/** What somebody finds in their mail. */
export interface Mail {
  readonly to: string
  readonly link: URL
  /** Empty if there was none. */
  readonly code: string
  readonly text: string
  readonly html: string
}

export const ANN = 'ann@example.com'
export const BEN = 'ben@example.com'

/** An application that sends codes, with a clock of the test's own. */
export function codeApplication(config: Partial<AuthConfig> = {}, own: Partial<EmailConfig> = {}) {
  const clock = { now: Date.now() }
  const mails: Mail[] = []
  const auth = createTestAuth({
    adapter: MemoryAdapter(),
    trustHost: true,
    ports: { now: () => clock.now },
    providers: [
      {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        code: true,
        sendVerificationRequest({ identifier, url, code = '', message }) {
          mails.push({ to: identifier, link: new URL(url), code, ...message })
        },
        ...own,
      },
    ],
    ...config,
  })
  return { ...auth, clock, mails, visitor: () => new Visitor(auth.handle) }
}

export type CodeApplication = ReturnType<typeof codeApplication>

/** Asks for a code in a browser. Answers the message. */
export async function askForCode(
  { mails }: Pick<CodeApplication, 'mails'>,
  visitor: Visitor,
  email: string = ANN,
  fields: Record<string, string> = {},
): Promise<Mail> {
  await visitor.post('/signin/mail', { email, ...fields })
  const mail = mails.at(-1)
  if (!mail) throw new Error('nothing was sent')
  return mail
}

/** Types a code. Answers what came of it: `in`, or why not. */
export async function typeCode(visitor: Visitor, code: string): Promise<string> {
  const response = await visitor.post('/signin/mail', { code })
  if (response.status === 429) return 'too many'
  const to = new URL(response.headers.get('location') ?? '')
  const error = to.searchParams.get('error')
  return error ? `${error} ${to.searchParams.get('code')}` : 'in'
}

/** A code that is not the one. */
export function otherThan(code: string, index = 0): string {
  const letters = 'BCDFGHJKLMNPQRSTVWXZ'
  const at = letters.indexOf(code[0] ?? '')
  return `${letters[(at + 1 + index) % 20]}${code.slice(1)}`
}

export const WRONG = 'EmailCodeError wrong_code'
export const EXPIRED = 'EmailCodeError expired'
