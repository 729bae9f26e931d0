import Credentials from '@siteauth/core/providers/credentials'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RealProvider, startRealProvider } from '../oauth/real-provider.ts'
import { type Application, createApplication } from './application.ts'
import { findChromium, openChromium, watchSite } from './chromium.ts'
import { type Served, serve } from './serve.ts'

const chromium = findChromium()

describe.skipIf(chromium === null)('a visitor with Chromium', { timeout: 60_000 }, () => {
  let provider: RealProvider
  let application: Application
  let served: Served
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let problems: string[]
  let beforeAnswering: (url: URL) => Promise<void>

  beforeAll(async () => {
    // By another name than the provider has: to a browser these are two sites.
    served = await serve(startApplication, 'localhost')
    browser = await openChromium()
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await served?.close()
    await provider?.close()
  })

  beforeEach(async () => {
    beforeAnswering = async () => {}
    await startOver()
  })

  afterEach(async () => {
    await context.close()
    expect(problems).toEqual([])
    expect(errors()).toEqual([])
  })

  async function startApplication(origin: string) {
    const client = { client_id: 'application', client_secret: 'a client secret: long enough' }
    provider = await startRealProvider({
      clients: [client],
      redirectUris: ['op', 'poster'].map(id => `${origin}/auth/callback/${id}`),
    })
    const registered = {
      type: 'oidc' as const,
      issuer: provider.issuer,
      clientId: client.client_id,
      clientSecret: client.client_secret,
    }
    application = createApplication({
      providers: [
        { id: 'op', name: 'OP', ...registered },
        {
          id: 'poster',
          name: 'Poster',
          authorization: { params: { response_mode: 'form_post' } },
          ...registered,
        },
        Credentials({
          name: 'Password',
          credentials: {
            username: { label: 'User name' },
            password: { label: 'Password', type: 'password' },
          },
          authorize: ({ username, password }) =>
            password === 'open sesame' ? { id: '1', name: String(username) } : null,
        }),
      ],
    })
    return async (request: Request) => {
      const response = await application.answer(request)
      await beforeAnswering(new URL(request.url))
      return response
    }
  }

  /** A browser without cookies or history. */
  async function startOver(options: BrowserContextOptions = {}) {
    await context?.close()
    context = await browser.newContext(options)
    context.setDefaultTimeout(30_000)
    problems = watchSite(context, served.origin)
    page = await context.newPage()
  }

  /** The kinds of errors that were logged since the last time. */
  const errors = () => application.errors.splice(0).map(error => Reflect.get(error, 'type'))

  async function goToSignIn(path: string, tab = page) {
    await tab.goto(served.origin + path)
    await tab.getByRole('link', { name: 'Sign in' }).click()
  }

  const buttonOf = (name: string, tab = page) =>
    tab.getByRole('button', { name: `Sign in with ${name}` })

  async function goToProvider(path: string, { tab = page, name = 'OP' } = {}) {
    await goToSignIn(path, tab)
    await buttonOf(name, tab).click()
    await loginOf(tab).waitFor()
  }

  const loginOf = (tab: Page) => tab.getByPlaceholder('Enter any login')

  async function logIn(tab = page) {
    await loginOf(tab).fill('ada')
    await tab.getByPlaceholder('and password').fill('any')
    await tab.getByRole('button', { name: 'Sign-in' }).click()
    await consentOf(tab).waitFor()
  }

  const consentOf = (tab: Page) => tab.getByRole('button', { name: 'Continue' })

  async function logInAndAgree(tab = page) {
    await logIn(tab)
    await consentOf(tab).click()
  }

  async function enterPassword(password: string) {
    await page.getByLabel('User name').fill('Ali')
    await page.getByLabel('Password').fill(password)
  }

  // Not `waitForURL`, which fails when a visitor turns elsewhere before a page has come.
  const arriveAt = (path: string, tab = page) =>
    expect.poll(() => tab.url(), { timeout: 30_000 }).toBe(served.origin + path)

  async function expectSignedIn(path: string, { tab = page, who = 'ada' } = {}) {
    await arriveAt(path, tab)
    expect(await tab.getByRole('status').textContent()).toBe(`${who} is signed in.`)
  }

  async function expectSignedOut(path: string) {
    await arriveAt(path)
    expect(await page.getByRole('status').textContent()).toBe('Nobody is signed in.')
  }

  const alertOnSignIn = async (error: string) => {
    await arriveAt(`/auth/signin?error=${error}`)
    return page.getByRole('alert').textContent()
  }

  /** Lets no answer from a path go before it was asked twice. Resolves then. */
  function askedTwice(path: string): Promise<void> {
    let count = 0
    const twice = new Promise<void>(resolve => {
      beforeAnswering = async ({ pathname }) => {
        if (pathname !== path) return
        count += 1
        if (count === 2) resolve()
        await twice
      }
    })
    return twice
  }

  /** Sends a form twice, past all that a page does against it: the first has had no effect yet. */
  async function sendTwice(button: Locator, path: string) {
    const sent = askedTwice(path)
    await button.evaluate(element => {
      const { form } = element as HTMLButtonElement // every button of ours is in one
      form?.submit()
      setTimeout(() => form?.submit(), 50)
    })
    await sent
  }

  /** The last is for scripts of the page: it says nothing but that it is another than before. */
  const SIGNED_IN = ['authjs.csrf-token', 'authjs.session-token', 'siteauth.changed']
  const cookieNames = async () =>
    (await context.cookies(served.origin)).map(({ name }) => name).sort()

  describe('who signs in at a provider', () => {
    it('is signed in on the page that they came from, until they sign out', async () => {
      await page.goto(`${served.origin}/inbox?folder=new`)
      await expectSignedOut('/inbox?folder=new')
      await goToProvider('/inbox?folder=new')
      expect(new URL(page.url()).origin).toBe(provider.issuer)
      await logInAndAgree()
      await expectSignedIn('/inbox?folder=new')
      await page.goto(`${served.origin}/elsewhere`)
      await expectSignedIn('/elsewhere')
      expect(await cookieNames()).toEqual(SIGNED_IN)
      expect(await page.evaluate(() => document.cookie)).toMatch(/^siteauth\.changed=[\w-]+$/)

      await page.getByRole('link', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expectSignedOut('/elsewhere')
      await page.reload()
      await expectSignedOut('/elsewhere')
    })

    it('is signed in by an answer that the other site posts', async () => {
      await goToProvider('/inbox', { name: 'Poster' })
      const posted = page.waitForRequest(`${served.origin}/auth/callback/poster`)
      await logInAndAgree()
      expect((await posted).method()).toBe('POST')
      await expectSignedIn('/inbox')
      expect(await cookieNames()).toEqual(SIGNED_IN)
    })

    it('brings who is signed in along with an answer that the other site posts', async () => {
      await goToProvider('/inbox')
      await logInAndAgree()
      await expectSignedIn('/inbox')
      const sessionOf = (request: { allHeaders(): Promise<Record<string, string>> }) =>
        request.allHeaders().then(({ cookie = '' }) => cookie.includes('session-token='))
      const callbacks: Promise<string>[] = []
      page.on('request', request => {
        if (!request.url().startsWith(`${served.origin}/auth/callback/poster`)) return
        const method = request.method()
        callbacks.push(sessionOf(request).then(has => `${method} ${has ? 'with' : 'without'} it`))
      })
      await goToSignIn('/outbox')
      await buttonOf('Poster').click()
      await arriveAt('/outbox')
      expect(await Promise.all(callbacks)).toEqual(['POST without it', 'GET with it'])
    })

    it('is signed in by two tabs, in turn or at once, each of which goes on its way', async () => {
      const tab = await context.newPage()
      await goToProvider('/one')
      await goToProvider('/two', { tab })
      await logIn()
      await logIn(tab)
      await consentOf(page).click()
      await expectSignedIn('/one')
      await consentOf(tab).click()
      await expectSignedIn('/two', { tab })

      // The provider knows them by now, and asks nothing.
      await context.clearCookies({ domain: 'localhost' })
      await goToSignIn('/three')
      await goToSignIn('/four', tab)
      const arrived = askedTwice('/auth/callback/op')
      await Promise.all([buttonOf('OP').click(), buttonOf('OP', tab).click()])
      await arrived
      await expectSignedIn('/three')
      await expectSignedIn('/four', { tab })
    })

    it('is signed in by a form that arrives twice', async () => {
      await goToSignIn('/inbox')
      await sendTwice(buttonOf('OP'), '/auth/signin/op')
      await logInAndAgree()
      await expectSignedIn('/inbox')
    })

    it('stays signed in when they go back, and can sign in again from there', async () => {
      await goToProvider('/inbox')
      await logInAndAgree()
      await expectSignedIn('/inbox')
      for (const where of ['consent', 'login']) {
        await page.goBack()
        expect(new URL(page.url()).origin, where).toBe(provider.issuer)
      }
      await page.goBack()
      expect(new URL(page.url()).pathname).toBe('/auth/signin')
      // The provider knows them by now, and asks nothing.
      await buttonOf('OP').click()
      await expectSignedIn('/inbox')
      await page.goBack()
      expect(new URL(page.url()).pathname).toBe('/auth/signin')
      await page.goBack()
      await expectSignedIn('/inbox')
    })

    it('stays signed in when they open the answer again, and is told what to do', async () => {
      const answered = page.waitForRequest(request => request.url().includes('/auth/callback/op?'))
      await goToProvider('/inbox')
      await logInAndAgree()
      await expectSignedIn('/inbox')
      for (let time = 0; time < 2; time++) {
        await page.goto((await answered).url())
        await page.getByRole('heading', { name: 'Please sign in again' }).waitFor()
        expect(errors()).toEqual(['InvalidCheck'])
      }
      await page.getByRole('link', { name: 'localhost' }).click()
      await expectSignedIn('/')
      await page.goBack()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await buttonOf('OP').click()
      await expectSignedIn('/')
    })

    it('can sign in again when they reload before the answer has come', async () => {
      await goToProvider('/inbox')
      await logIn()
      let release = () => {}
      const answering = new Promise<URL>(arrive => {
        beforeAnswering = url => {
          if (url.pathname !== '/auth/callback/op') return Promise.resolve()
          beforeAnswering = async () => {}
          arrive(url)
          return new Promise(resolve => {
            release = resolve
          })
        }
      })
      await consentOf(page).click({ noWaitAfter: true })
      await page.goto((await answering).href)
      release()
      expect(await alertOnSignIn('OAuthCallbackError')).toBe(
        'You were not signed in. Try again, or sign in another way.',
      )
      expect(errors()).toEqual(['OAuthCallbackError'])
      await buttonOf('OP').click()
      // A code that comes twice may have been stolen: the provider takes back what it granted.
      await consentOf(page).click()
      await expectSignedIn('/inbox')
    })

    it('can try again after they have cancelled, with a browser that runs no scripts', async () => {
      await startOver({ javaScriptEnabled: false })
      await goToProvider('/inbox?folder=new')
      await page.getByRole('link', { name: 'Cancel' }).click()
      expect(await alertOnSignIn('OAuthCallbackError')).toBe(
        'You were not signed in. Try again, or sign in another way.',
      )
      expect(errors()).toEqual(['OAuthCallbackError'])
      expect(await cookieNames()).toEqual(['authjs.callback-url', 'authjs.csrf-token'])
      await buttonOf('OP').click()
      await logInAndAgree()
      await expectSignedIn('/inbox?folder=new')
    })
  })

  describe('who signs in with a password', () => {
    it('is told when it is wrong, and then comes back to the page they came from', async () => {
      await goToSignIn('/inbox?folder=new')
      await enterPassword('open barley')
      await buttonOf('Password').click()
      expect(await alertOnSignIn('CredentialsSignin&code=credentials')).toContain(
        'Check that the details you entered',
      )
      expect(errors()).toEqual(['CredentialsSignin'])
      await enterPassword('open sesame')
      await buttonOf('Password').click()
      await expectSignedIn('/inbox?folder=new', { who: 'Ali' })
      await page.getByRole('link', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expectSignedOut('/inbox?folder=new')
    })

    it('is signed in by a form that arrives twice, and out by another', async () => {
      await goToSignIn('/inbox')
      await enterPassword('open sesame')
      await sendTwice(buttonOf('Password'), '/auth/callback/credentials')
      await expectSignedIn('/inbox', { who: 'Ali' })
      await page.getByRole('link', { name: 'Sign out' }).click()
      await sendTwice(page.getByRole('button', { name: 'Sign out' }), '/auth/signout')
      await expectSignedOut('/inbox')
    })
  })

  describe('on the built-in pages', () => {
    const pages: Record<string, string> = {
      signin: 'Sign in',
      'signin?error=OAuthCallbackError': 'Sign in',
      signout: 'Sign out',
      'verify-request': 'Check your email',
      error: 'Error',
      'error?error=Configuration': 'Server error',
      'error?error=AccessDenied': 'Access Denied',
      'error?error=Verification': 'Unable to sign in',
      'error?error=InvalidCheck': 'Please sign in again',
      nothing: 'Not found',
    }

    it('finds all of it in a narrow window, and nothing that the browser objects to', async () => {
      await page.setViewportSize({ width: 320, height: 640 })
      for (const [path, heading] of Object.entries(pages)) {
        await page.goto(`${served.origin}/auth/${path}`)
        expect(await page.getByRole('heading').allTextContents(), path).toEqual([heading])
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width, path).toBeLessThanOrEqual(320)
        expect(problems).toEqual([])
      }
    })

    it('would see the browser object to a script, a style or an image of others', async () => {
      await page.goto(`${served.origin}/auth/signin`)
      await page.evaluate(() => {
        const plant = (name: string, members: object) =>
          document.body.append(Object.assign(document.createElement(name), members))
        const script = document.createElement('script')
        script.append('document.title = "run"')
        document.body.append(script)
        try {
          document.body.innerHTML = '<p>Planted</p>'
        } catch {}
        plant('style', { textContent: 'p { color: red }' })
        plant('img', { src: 'https://elsewhere.test/pixel.gif' })
        setTimeout(() => {
          throw new Error('planted')
        })
      })
      await expect.poll(() => problems.length, { timeout: 30_000 }).toBe(7)
      const seen = problems.splice(0).join('\n')
      expect(seen).toMatch(/^error .*'TrustedScript' assignment/m)
      expect(seen).toMatch(/^error .*'TrustedHTML' assignment/m)
      expect(seen).toMatch(/^error .* inline style violates .* Content Security Policy/m)
      expect(seen).toMatch(/^error .* image .* violates .* Content Security Policy/m)
      expect(seen).toMatch(/^loaded by .*: https:\/\/elsewhere\.test\/pixel\.gif$/m)
      expect(seen).toMatch(/^page error .*: planted$/m)
      expect(await page.title()).toBe('Sign In')
    })
  })
})
