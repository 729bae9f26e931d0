import type { EmailConfig } from '@siteauth/core/providers'
import { describe, expect, it } from 'vitest'
import {
  ANN,
  askForCode,
  BEN,
  codeApplication,
  EXPIRED,
  otherThan,
  typeCode,
  WRONG,
} from './code-application.ts'

const EVIL = 'https://evil.example/'

describe('a code', () => {
  it('that one provider has sent is nothing to another', async () => {
    const mails: { code: string }[] = []
    const sender = (id: string): EmailConfig => ({
      id,
      name: id,
      type: 'email',
      code: true,
      sendVerificationRequest: ({ code = '' }) => void mails.push({ code }),
    })
    const app = codeApplication({ providers: [sender('mail'), sender('other')] })
    const visitor = app.visitor()
    await visitor.post('/signin/mail', { email: ANN })
    const [{ code } = { code: '' }] = mails
    const answer = await visitor.post('/signin/other', { code })
    expect(answer.headers.get('location')).toContain('error=EmailCodeError&code=expired')
    expect(await typeCode(visitor, code)).toBe('in')
  })

  it('leads to no other site, whatever was asked for when it was sent or is when it is typed', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code, link } = await askForCode(app, visitor, ANN, { callbackUrl: EVIL })
    expect(link.href).not.toContain('evil')
    const answer = await visitor.post('/signin/mail', { code, callbackUrl: EVIL })
    expect(answer.headers.get('location')).toBe('https://app.example.com')
  })

  it('has as many guesses in all, however often another one is sent', async () => {
    const app = codeApplication({ limits: true })
    const visitor = app.visitor()
    const came: string[] = []
    for (let message = 0; message < 4; message++) {
      const { code } = await askForCode(app, visitor)
      for (let guess = 0; guess < 4; guess++) {
        came.push(await typeCode(visitor, otherThan(code, guess)))
      }
      app.clock.now += 30_000
    }
    expect(came.filter(each => each === WRONG)).toHaveLength(5)
    expect(came.filter(each => each === 'too many')).toHaveLength(11)
  })

  it('of before is over in a browser that has asked for somebody else since', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor, ANN)
    await askForCode(app, visitor, BEN)
    expect(await typeCode(visitor, code)).toBe(WRONG)
    expect(await visitor.session()).toBeNull()
  })

  it('is over after the link of the same message was used, in whichever browser', async () => {
    const app = codeApplication()
    const [asker, phone] = [app.visitor(), app.visitor()]
    const { code, link } = await askForCode(app, asker)
    await phone.openLink(link)
    expect(await phone.session()).not.toBeNull()
    expect(await typeCode(asker, code)).toBe(EXPIRED)
  })

  it('cannot be asked for by a page of another site', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const csrfToken = await visitor.csrfToken()
    await visitor.send('/signin/mail', {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ csrfToken, email: ANN }),
    })
    expect(app.mails).toEqual([])
  })
})
