import { createAuth } from '@siteauth/core'
import type { EmailConfig } from '@siteauth/core/providers'
import Nodemailer from '@siteauth/core/providers/nodemailer'
import Resend from '@siteauth/core/providers/resend'
import { Visitor } from '@siteauth/testing'
import {
  createMailCatcher,
  type MailBox,
  type MailTransport,
  startMailServer,
} from '@siteauth/testing/mail'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'

// Other files, which come next, have the same environment.
afterEach(() => void vi.unstubAllEnvs())

const FROM = 'Example <no-reply@example.com>'

function applicationWith(provider: EmailConfig) {
  const auth = createAuth(
    {
      secret: 'a test secret that is long enough!',
      trustHost: true,
      adapter: MemoryAdapter(),
      providers: [provider],
    },
    { env: { NODE_ENV: 'test' } },
  )
  return new Visitor(auth.handle)
}

/** Asks for a link, and opens what was caught. */
async function signInByLink(provider: EmailConfig, box: MailBox): Promise<unknown> {
  const visitor = applicationWith(provider)
  await visitor.post(`/signin/${provider.id}`, { email: 'ada@example.com' })
  const { link } = box.to('ada@example.com')
  if (link) await visitor.openLink(link)
  return visitor.session()
}

/** Sends as Nodemailer does. */
function send({ send: give }: MailTransport, to: string[], text = ''): Promise<unknown> {
  const message = { getEnvelope: () => ({ to, from: FROM }) }
  return new Promise(resolve => give({ data: { subject: 'News', text }, message }, resolve))
}

const ADA = { user: { email: 'ada@example.com' } }

describe('a mail catcher', () => {
  it('catches what any provider would send', async () => {
    const mail = createMailCatcher()
    const { sendVerificationRequest } = mail
    const provider = Resend({ from: FROM, code: true, sendVerificationRequest })
    expect(await signInByLink(provider, mail)).toMatchObject(ADA)
    expect(mail.to('ada@example.com')).toMatchObject({
      from: FROM,
      subject: 'Sign in to app.example.com',
      code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
    })
  })

  it('catches what goes through Nodemailer', async () => {
    const mail = createMailCatcher()
    const provider = Nodemailer({ from: FROM, code: true, server: mail.transport })
    expect(await signInByLink(provider, mail)).toMatchObject(ADA)
    expect(mail.messages).toMatchObject([
      { to: 'ada@example.com', from: FROM, code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) },
    ])
  })

  it('has one message for each address, and neither link nor code where there is none', async () => {
    const mail = createMailCatcher()
    const to = ['a@example.com', 'b@example.com']
    await send(mail.transport, to, 'None.')
    expect(mail.messages.map(message => message.to)).toEqual(to)
    expect(mail.to('B@example.com')).toMatchObject({ subject: 'News', link: null, code: null })
  })

  it('waits for mail that is yet to come', async () => {
    const mail = createMailCatcher()
    const waiting = mail.waitFor('a@example.com')
    await send(mail.transport, ['a@example.com'], 'x')
    expect((await waiting).text).toBe('x')
    expect((await mail.waitFor('a@example.com')).text).toBe('x')
  })

  it('says for whom there is mail, if there is none', async () => {
    const mail = createMailCatcher()
    await send(mail.transport, ['a@example.com'])
    expect(() => mail.to('b@example.com')).toThrow('There is some for: a@example.com.')
    await expect(mail.waitFor('b@example.com', { seconds: 0 })).rejects.toThrow('b@example.com')
    mail.clear()
    expect(() => mail.to('a@example.com')).toThrow('There is some for: nobody.')
  })

  it('refuses to run in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(() => createMailCatcher()).toThrow('NODE_ENV')
    await expect(startMailServer()).rejects.toThrow('NODE_ENV')
    expect(createMailCatcher({ allowInProduction: true }).messages).toEqual([])
  })
})

describe('a mail server', () => {
  let close: (() => Promise<void>) | undefined
  afterEach(() => close?.())

  it('catches what any process sends, with a password or without', async () => {
    const mail = await startMailServer()
    close = mail.close
    const server = mail.url.replace('://', '://user:password@')
    const provider = Nodemailer({ from: FROM, code: true, server })
    expect(await signInByLink(provider, mail)).toMatchObject(ADA)
    expect(mail.to('ada@example.com')).toMatchObject({
      from: 'no-reply@example.com',
      subject: 'Sign in to app.example.com',
      html: expect.stringContaining('<a '),
      code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
    })
  })
})
