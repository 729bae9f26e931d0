import { EmailCodeError } from '@siteauth/core/errors'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { Visitor } from '../visitor.ts'
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

describe.each(['jwt', 'database'] as const)('a code, with %s sessions', strategy => {
  const session = { strategy }

  it('signs in the browser that asked for it, to where the visitor wanted to be', async () => {
    const app = codeApplication({ session })
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor, ANN, { callbackUrl: '/inbox' })
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    const response = await visitor.post('/signin/mail', { code })
    expect(response.headers.get('location')).toBe('https://app.example.com/inbox')
    expect(await visitor.session()).toMatchObject({ user: { email: ANN } })
  })

  it('is typed with or without a dash, in any case', async () => {
    const app = codeApplication({ session })
    for (const spell of [
      (code: string) => code.replace('-', ''),
      (code: string) => code.toLowerCase(),
      (code: string) => ` ${code.replace('-', ' – ')} `,
    ]) {
      const visitor = app.visitor()
      const { code } = await askForCode(app, visitor)
      expect(await typeCode(visitor, spell(code))).toBe('in')
    }
  })

  it('works once, and so does the link beside it', async () => {
    const app = codeApplication({ session })
    const visitor = app.visitor()
    const { code, link } = await askForCode(app, visitor)
    const copy = copyOf(app, visitor)
    expect(await typeCode(visitor, code)).toBe('in')
    expect(await typeCode(copy, code)).toBe(EXPIRED)
    const late = app.visitor()
    expect((await late.openLink(link)).headers.get('location')).toContain('error=Verification')
    expect(await late.session()).toBeNull()
  })

  it('does not work after the link was used', async () => {
    const app = codeApplication({ session })
    const visitor = app.visitor()
    const { code, link } = await askForCode(app, visitor)
    const elsewhere = app.visitor()
    await elsewhere.openLink(link)
    expect(await elsewhere.session()).toMatchObject({ user: { email: ANN } })
    expect(await typeCode(visitor, code)).toBe(EXPIRED)
    expect(await visitor.session()).toBeNull()
  })
})

describe('a code', () => {
  it('does not work in another browser', async () => {
    const app = codeApplication()
    const { code } = await askForCode(app, app.visitor())
    expect(await typeCode(app.visitor(), code)).toBe(EXPIRED)
  })

  it('does not work in another browser that asked for one of its own', async () => {
    const app = codeApplication()
    const { code } = await askForCode(app, app.visitor(), ANN)
    const mallory = app.visitor()
    await askForCode(app, mallory, BEN)
    expect(await typeCode(mallory, code)).toBe(WRONG)
    await askForCode(app, mallory, ANN)
    expect(await typeCode(mallory, code)).toBe(WRONG)
    expect(await mallory.session()).toBeNull()
  })

  it('does not work in a browser that the cookie of another was planted in', async () => {
    const app = codeApplication()
    const mallory = app.visitor()
    const { code } = await askForCode(app, mallory, BEN)
    const ann = app.visitor()
    await ann.csrfToken()
    const name = '__Host-authjs.email-request'
    ann.cookies.set(name, mallory.cookies.get(name) ?? '')
    expect(await typeCode(ann, code)).toBe(EXPIRED)
    expect(await ann.session()).toBeNull()
  })

  it('signs in to the address that was asked for, whatever the form says', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor, BEN)
    await visitor.post('/signin/mail', { code, email: ANN })
    expect(await visitor.session()).toMatchObject({ user: { email: BEN } })
  })

  it('replaces the one before it, in the browser that asks again', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const first = await askForCode(app, visitor)
    const second = await askForCode(app, visitor)
    expect(await typeCode(visitor, first.code)).toBe(WRONG)
    expect(await typeCode(visitor, second.code)).toBe('in')
  })

  it('works for ten minutes', async () => {
    const app = codeApplication()
    const [early, late] = [app.visitor(), app.visitor()]
    const codes = [await askForCode(app, early), await askForCode(app, late)]
    app.clock.now += 599_000
    expect(await typeCode(early, codes[0]?.code ?? '')).toBe('in')
    app.clock.now += 1000
    expect(await typeCode(late, codes[1]?.code ?? '')).toBe(EXPIRED)
  })

  it('works no longer than the link', async () => {
    const app = codeApplication({}, { maxAge: 60 })
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    app.clock.now += 60_000
    expect(await typeCode(visitor, code)).toBe(EXPIRED)
  })

  it('is in no store, no cookie, no address and no log', async () => {
    const stored: unknown[] = []
    const adapter = MemoryAdapter()
    const app = codeApplication({
      adapter: {
        ...adapter,
        createVerificationToken(token) {
          stored.push(token)
          return adapter.createVerificationToken(token)
        },
      },
    })
    const visitor = app.visitor()
    const { code, link } = await askForCode(app, visitor)
    await typeCode(visitor, otherThan(code))
    const plain = code.replace('-', '')
    const seen = JSON.stringify([
      stored,
      [...visitor.cookies],
      app.errors.map(error => [error.message, error.cause]),
      app.debugs,
    ])
    expect(stored).toHaveLength(3)
    expect(seen).not.toContain(code)
    expect(seen).not.toContain(plain)
    expect(link.href).not.toContain(plain)
  })

  it('is nothing to a provider that sends none', async () => {
    const app = codeApplication({}, { code: false })
    const visitor = app.visitor()
    const { code, text } = await askForCode(app, visitor)
    expect(code).toBe('')
    expect(text).not.toMatch(/[A-Z]{4}-[A-Z]{4}/)
    const response = await visitor.post('/signin/mail', { code: 'WDJB-MJHT' })
    expect(response.headers.get('location')).toContain('error=EmailSignInError')
  })
})

describe('guesses at a code', () => {
  it('are five, then it is over, also for whoever has the right one', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    const answers: string[] = []
    for (let guess = 0; guess < 5; guess++) {
      answers.push(await typeCode(visitor, otherThan(code, guess)))
    }
    expect(answers).toEqual([WRONG, WRONG, WRONG, WRONG, EXPIRED])
    expect(await typeCode(visitor, code)).toBe(EXPIRED)
  })

  it('leave the last one to whoever gets it right', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    for (let guess = 0; guess < 4; guess++) await typeCode(visitor, otherThan(code, guess))
    expect(await typeCode(visitor, code)).toBe('in')
  })

  it('are five also with copies of the cookie from before', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    const copies = Array.from({ length: 8 }, () => copyOf(app, visitor))
    const answers: string[] = []
    for (const [index, copy] of copies.entries()) {
      answers.push(await typeCode(copy, otherThan(code, index)))
    }
    expect(answers).toEqual([WRONG, WRONG, WRONG, WRONG, EXPIRED, EXPIRED, EXPIRED, EXPIRED])
    expect(await typeCode(visitor, code)).toBe(EXPIRED)
  })

  it('are no more than five if 200 come at once', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    await visitor.csrfToken()
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        typeCode(copyOf(app, visitor), otherThan(code, index % 19)),
      ),
    )
    const compared = answers.filter(answer => answer === WRONG).length
    expect(compared).toBeGreaterThan(0)
    expect(compared).toBeLessThanOrEqual(5)
    expect(await app.visitor().session()).toBeNull()
  })

  it('are no more than five over three nodes that share a store', async () => {
    const adapter = MemoryAdapter()
    const [asked, ...others] = [1, 2, 3].map(() => codeApplication({ adapter }))
    if (!asked) throw new Error('there are three')
    const visitor = asked.visitor()
    const { code } = await askForCode(asked, visitor)
    await visitor.csrfToken()
    const nodes = [asked, ...others]
    const answers: string[] = []
    for (let guess = 0; guess < 12; guess++) {
      const node = nodes[guess % 3] ?? asked
      answers.push(await typeCode(copyOf(node, visitor), otherThan(code, guess)))
    }
    expect(answers.filter(answer => answer === WRONG)).toHaveLength(4)
    expect(await typeCode(visitor, code)).toBe(EXPIRED)
  })

  it('sign in once if the right one comes 50 times at once', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    await visitor.csrfToken()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => typeCode(copyOf(app, visitor), code)),
    )
    expect(answers.filter(answer => answer === 'in')).toHaveLength(1)
  })

  it('do not count if they cannot be a code', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    for (const typed of ['', '12345678', 'AAAA-AAAA', code.slice(1), `${code}B`, '<b>', '💌']) {
      expect(await typeCode(visitor, typed)).toBe(WRONG)
    }
    expect(await typeCode(visitor, code)).toBe('in')
  })

  it('over many browsers are limited by address', async () => {
    const app = codeApplication({ limits: { rules: { email: false } } })
    const browsers = Array.from({ length: 10 }, () => app.visitor())
    for (const browser of browsers) await askForCode(app, browser)
    const answers: string[] = []
    for (const [index, browser] of browsers.entries()) {
      answers.push(await typeCode(browser, otherThan('BBBB-BBBB', index)))
    }
    expect(answers.filter(answer => answer === WRONG)).toHaveLength(5)
    expect(answers.filter(answer => answer === 'too many')).toHaveLength(5)
  })
})

describe('a link that was opened in another browser', () => {
  it('signs in there after a click, by default', async () => {
    const app = codeApplication()
    const { link } = await askForCode(app, app.visitor())
    const phone = app.visitor()
    const page = await (await phone.get(link.href)).text()
    expect(page).toContain('<button id="submitButton"')
    await phone.confirmLink(link)
    expect(await phone.session()).not.toBeNull()
  })

  it('only shows the code, if the application wants it so', async () => {
    const app = codeApplication({}, { elsewhere: 'show-code' })
    const desk = app.visitor()
    const { link, code } = await askForCode(app, desk)
    const phone = app.visitor()
    const page = await (await phone.get(link.href)).text()
    expect(page).toContain(code)
    expect(page).not.toContain('<form')
    expect((await phone.confirmLink(link)).headers.get('location')).toContain('error=Verification')
    expect(await phone.session()).toBeNull()
    expect(await typeCode(desk, code)).toBe('in')
  })

  it('signs in where it was asked for all the same', async () => {
    const app = codeApplication({}, { elsewhere: 'show-code' })
    const desk = app.visitor()
    const { link } = await askForCode(app, desk)
    await desk.openLink(link)
    expect(await desk.session()).not.toBeNull()
  })

  it.each([
    [{ elsewhere: 'show-code', code: false } as const, 'has no code to show'],
    [{ elsewhere: 'nowhere' as never }, "'confirm' or 'show-code'"],
  ])('cannot do what there is not: %j', async (own, message) => {
    const app = codeApplication({}, own)
    expect((await app.visitor().get('/csrf')).status).toBe(500)
    expect(app.errors[0]?.message).toContain(message)
  })
})

describe('the page after asking', () => {
  const asBrowser = { accept: 'text/html' }

  it('has a field for the code, which browsers fill in, and works without a script', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    const page = await (await visitor.get('/verify-request')).text()
    expect(page).toContain(ANN)
    expect(page).toMatch(/<input [^>]*autocomplete="one-time-code"/)
    const action = /<form action="([^"]+)"/.exec(page)?.[1] ?? ''
    expect((await visitor.post(action, { code })).status).toBe(302)
    expect(await visitor.session()).not.toBeNull()
  })

  it('says what is wrong with a code, to the eye and to readers', async () => {
    const app = codeApplication({ language: 'de' })
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    const response = await visitor.post('/signin/mail', { code: otherThan(code) })
    const page = await (await visitor.get(response.headers.get('location') ?? '')).text()
    expect(page).toContain('Der Code stimmt nicht.')
    expect(page).toMatch(/<input [^>]*aria-invalid="true" aria-describedby="code-error"/)
  })

  it('offers another code in half a minute, and counts until then', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    await askForCode(app, visitor)
    app.clock.now += 10_000
    const page = await (await visitor.get('/verify-request')).text()
    expect(page).toContain('data-wait="20"')
    const email = /name="email" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const { code } = await askForCode(app, visitor, email)
    expect(await typeCode(visitor, code)).toBe('in')
  })

  it('keeps what the visitor said of being remembered, also for another code', async () => {
    const app = codeApplication()
    const visitor = app.visitor()
    await askForCode(app, visitor, ANN, { remember: 'false' })
    const page = await (await visitor.get('/verify-request')).text()
    expect(page).toContain('name="remember" value="false"')
    const { code } = await askForCode(app, visitor, ANN, { remember: 'false' })
    const response = await visitor.post('/signin/mail', { code })
    const session = response.headers.getSetCookie().find(line => line.includes('session-token'))
    expect(session).not.toMatch(/expires|max-age/i)
  })

  it('says when to try again, where somebody asks for too many', async () => {
    const app = codeApplication({ limits: true })
    const visitor = app.visitor()
    await askForCode(app, visitor)
    const response = await visitor.post('/signin/mail', { email: ANN }, asBrowser)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('30')
    const page = await response.text()
    expect(page).toContain('Try again <bdi>in 30 seconds</bdi>.')
    expect(page).toContain('autocomplete="one-time-code"')
  })

  it('has no form where this browser has asked for nothing', async () => {
    const app = codeApplication()
    await askForCode(app, app.visitor())
    expect(await (await app.visitor().get('/verify-request')).text()).not.toContain('<form')
  })

  it('can be one of the application’s own', async () => {
    const app = codeApplication({ pages: { verifyRequest: '/check-mail' } })
    const visitor = app.visitor()
    const { code } = await askForCode(app, visitor)
    const response = await visitor.post('/signin/mail', { code: otherThan(code) })
    const to = new URL(response.headers.get('location') ?? '')
    expect(to.pathname).toBe('/check-mail')
    expect(Object.fromEntries(to.searchParams)).toEqual({
      error: 'EmailCodeError',
      code: 'wrong_code',
      provider: 'mail',
      type: 'email',
    })
  })
})

it('the message has the link and the code, in the words of the visitor', async () => {
  const app = codeApplication({ language: 'fr' })
  const { code, link, text, html } = await askForCode(app, app.visitor())
  for (const part of [text, html]) {
    expect(part).toContain('Ou saisissez ce code')
    expect(part).toContain('Ne donnez ce code à personne')
    expect(part).toContain(code)
  }
  expect(text).toContain(link.href)
})

describe('at the function door', () => {
  const url = 'https://app.example.com/login'

  it('a code signs in, to where the visitor wanted to be when they asked', async () => {
    const app = codeApplication()
    const asking = new Request(url)
    await app.signIn(asking, 'mail', { email: ANN, redirectTo: '/inbox' })
    const setCookies = app.takeSetCookies(asking)
    const cookie = setCookies.map(line => line.split(';')[0]).join('; ')
    const request = () => new Request(url, { headers: { cookie, referer: `${url}/code` } })
    const code = app.mails.at(-1)?.code ?? ''
    const wrong = await app
      .signIn(request(), 'mail', { code: otherThan(code) })
      .catch(error => error)
    expect(wrong).toBeInstanceOf(EmailCodeError)
    expect(wrong.code).toBe('wrong_code')
    const last = request()
    expect(await app.signIn(last, 'mail', { code })).toBe('https://app.example.com/inbox')
    expect(app.takeSetCookies(last).join()).toContain('session-token')
  })
})

/** Somebody with the cookies that a browser has now. */
function copyOf({ handle }: { handle: (request: Request) => Promise<Response> }, of: Visitor) {
  const copy = new Visitor(handle)
  for (const [name, value] of of.cookies) copy.cookies.set(name, value)
  return copy
}
