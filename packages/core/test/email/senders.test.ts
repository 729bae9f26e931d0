import type { AddressInfo } from 'node:net'
import { customFetch } from '@siteauth/core'
import type { EmailConfig } from '@siteauth/core/providers'
import Email from '@siteauth/core/providers/email'
import ForwardEmail from '@siteauth/core/providers/forwardemail'
import Loops from '@siteauth/core/providers/loops'
import Mailgun from '@siteauth/core/providers/mailgun'
import Nodemailer from '@siteauth/core/providers/nodemailer'
import Postmark from '@siteauth/core/providers/postmark'
import Resend from '@siteauth/core/providers/resend'
import SendGrid from '@siteauth/core/providers/sendgrid'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { startMailServer } from '../../../testing/src/mail.ts'

const url = 'https://app.example.com/auth/callback/mail?token=abc&email=ann%40example.com'
const CODE = 'WDJB-MJHT'

function send(provider: EmailConfig): Promise<void> {
  const { options, ...defaults } = provider
  const complete = { ...defaults, ...options } as EmailConfig // as the configuration merges them
  return Promise.resolve(
    complete.sendVerificationRequest({
      identifier: 'ann@example.com',
      url,
      code: CODE,
      expires: new Date(),
      token: 'abc',
      theme: { brandColor: '"><script>', buttonText: '#000' },
      request: new Request('https://app.example.com/'),
      provider: complete,
      message: {
        subject: 'Sign in to app.example.com',
        text: `Sign in: ${url}`,
        html: `<a href="${url.replaceAll('&', '&amp;')}">Sign in</a>`,
      },
    }),
  )
}

describe('the services that send by HTTP', () => {
  it.each([
    ['resend', Resend, 'https://api.resend.com/emails', 'Bearer key'],
    ['sendgrid', SendGrid, 'https://api.sendgrid.com/v3/mail/send', 'Bearer key'],
    ['postmark', Postmark, 'https://api.postmarkapp.com/email', null],
    ['forwardemail', ForwardEmail, 'https://api.forwardemail.net/v1/emails', 'Basic a2V5Og=='],
    ['mailgun', Mailgun, 'https://api.mailgun.net/v3/example.com/messages', 'Basic YXBpOmtleQ=='],
  ])(
    '%s gets the address, the sender and the link',
    async (_, provider, address, authorization) => {
      const seen: Request[] = []
      await send(
        provider({
          apiKey: 'key',
          from: 'Example <no-reply@example.com>',
          [customFetch]: async (input, init) => {
            seen.push(new Request(input, init))
            return new Response('{}')
          },
        }),
      )
      const [request] = seen
      expect(request?.url).toBe(address)
      expect(request?.headers.get('authorization')).toBe(authorization)
      const body = (await request?.text()) ?? ''
      expect(body).toContain('ann@example.com')
      expect(body).toContain('no-reply@example.com')
      expect(body).toContain('token=abc')
      expect(body).not.toContain('<script>')
    },
  )

  it('loops gets the template, the link and the code alone', async () => {
    let body: unknown
    await send(
      Loops({
        apiKey: 'key',
        transactionalId: 'template',
        [customFetch]: async (_, init) => {
          body = JSON.parse(String(init?.body))
          return new Response('{}')
        },
      }),
    )
    expect(body).toEqual({
      transactionalId: 'template',
      email: 'ann@example.com',
      dataVariables: { url, code: CODE },
    })
  })

  it('sends to the European house of Mailgun where the application says so', async () => {
    let address = ''
    await send(
      Mailgun({
        apiKey: 'key',
        from: 'no-reply@example.com',
        region: 'EU',
        domain: 'mg.example.com',
        [customFetch]: async input => {
          address = String(input)
          return new Response('{}')
        },
      }),
    )
    expect(address).toBe('https://api.eu.mailgun.net/v3/mg.example.com/messages')
  })

  it('says what a service answered, without the link and the code', async () => {
    const refused = Resend({
      apiKey: 'key',
      from: 'x@example.com',
      [customFetch]: async () => new Response(`no such domain ${url} ${CODE}`, { status: 422 }),
    })
    await expect(send(refused)).rejects.toThrow(
      /^resend answered 422: no such domain \[link\] \[code\]$/,
    )
  })

  it('says which variable is missing', async () => {
    await expect(send(Resend({ from: 'x@example.com' }))).rejects.toThrow('AUTH_RESEND_KEY')
  })
})

describe('nodemailer, against a real SMTP server', () => {
  let server: SMTPServer | undefined
  afterEach(() => new Promise<void>(resolve => (server ? server.close(resolve) : resolve())))

  async function startRefusingServer(): Promise<string> {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_, __, done) => done(new Error('no such mailbox')),
    })
    const { server: socket } = server
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
    return `smtp://127.0.0.1:${(socket.address() as AddressInfo).port}`
  }

  it.each([
    ['nodemailer', Nodemailer],
    ['email', Email],
  ])('%s delivers the message to one address, in text and HTML', async (_, provider) => {
    const mail = await startMailServer()
    try {
      await send(provider({ server: mail.url, from: 'Example <no-reply@example.com>' }))
      expect(mail.messages).toMatchObject([
        {
          to: 'ann@example.com',
          from: 'no-reply@example.com',
          subject: 'Sign in to app.example.com',
          text: expect.stringContaining(url),
          html: expect.stringContaining('token=abc&amp;email=ann%40example.com'),
        },
      ])
      expect(mail.messages[0]?.html).not.toContain('<script>')
    } finally {
      await mail.close()
    }
  })

  it('fails where the server refuses the address', async () => {
    const refusing = await startRefusingServer()
    const provider = Nodemailer({ server: refusing, from: 'x@example.com' })
    await expect(send(provider)).rejects.toThrow()
  })

  it('says that the server is missing', async () => {
    await expect(send(Nodemailer())).rejects.toThrow('server')
  })
})
