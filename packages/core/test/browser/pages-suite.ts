import type { AuthConfig } from '@siteauth/core'
import type { EmailConfig } from '@siteauth/core/providers'
import Apple from '@siteauth/core/providers/apple'
import Credentials from '@siteauth/core/providers/credentials'
import Discord from '@siteauth/core/providers/discord'
import GitHub from '@siteauth/core/providers/github'
import GitLab from '@siteauth/core/providers/gitlab'
import Google from '@siteauth/core/providers/google'
import Keycloak from '@siteauth/core/providers/keycloak'
import MicrosoftEntraID from '@siteauth/core/providers/microsoft-entra-id'
import Passkey from '@siteauth/core/providers/passkey'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { createTestAuth } from '../visitor.ts'
import { findChromium, openChromium, watchSite } from './chromium.ts'
import { type Served, serve } from './serve.ts'

const chromium = findChromium()

const client = { clientId: 'id', clientSecret: 'secret' }
const external = [
  Google(client),
  GitHub(client),
  Apple(client),
  MicrosoftEntraID(client),
  Discord(client),
  Keycloak({ ...client, issuer: 'https://id.example.com/realms/one' }),
]

const password = Credentials({
  name: 'Password',
  credentials: {
    username: { label: 'User name', required: true },
    password: { label: 'Password', type: 'password', required: true },
  },
  authorize: () => null,
})

/** Whether everybody can use the pages by what they look like, or what they do. */
export function pagesSuite(about: 'accessibility' | 'behaviour'): void {
  describe.skipIf(chromium === null)(`the built-in pages, ${about}`, { timeout: 120_000 }, () => {
    let served: Served
    let browser: Browser
    let context: BrowserContext
    let page: Page
    let problems: string[]
    let answer: (request: Request) => Promise<Response>
    let links: string[]

    beforeAll(async () => {
      served = await serve(() => answerOrIcon, 'localhost')
      browser = await openChromium()
    }, 60_000)

    /** Browsers ask for an icon of the application, which this one does not have. */
    async function answerOrIcon(request: Request): Promise<Response> {
      if (new URL(request.url).pathname === '/favicon.ico')
        return new Response(null, { status: 204 })
      return answer(request)
    }

    afterAll(async () => {
      await browser?.close()
      await served?.close()
    })

    beforeEach(async () => {
      useApplication()
      await startOver()
    })

    afterEach(async () => {
      await context.close()
      expect(problems).toEqual([])
    })

    function useApplication(config: Partial<AuthConfig> = {}, env: Record<string, string> = {}) {
      links = []
      const mail: EmailConfig = {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        sendVerificationRequest: ({ url }) => void links.push(url),
      }
      answer = createTestAuth(
        {
          trustHost: true,
          adapter: {
            ...memoryAdapter([]).adapter,
            createUser: user => user,
            updateUser: user => ({ email: '', emailVerified: null, ...user }),
            createVerificationToken: token => token,
            useVerificationToken: () => null,
            getAccount: () => null,
            getAuthenticator: () => null,
            createAuthenticator: authenticator => authenticator,
            listAuthenticatorsByUserId: () => [],
            updateAuthenticatorCounter: () => {
              throw new Error('nobody signs in here')
            },
          },
          session: { strategy: 'jwt' },
          providers: [...external, mail, password],
          ...config,
        },
        env,
      ).handle
    }

    async function startOver(options: BrowserContextOptions = {}) {
      await context?.close()
      context = await browser.newContext(options)
      context.setDefaultTimeout(30_000)
      problems = watchSite(context, served.origin)
      page = await context.newPage()
    }

    const go = (path: string) => page.goto(`${served.origin}/auth${path}`)

    const button = (name: string) => page.getByRole('button', { name })

    async function askForLink() {
      await go('/signin')
      await page.getByLabel('Email').fill('ann@example.com')
      await button('Sign in with email').click()
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      return links.at(-1) ?? ''
    }

    describe.runIf(about === 'accessibility')(
      'have nothing that axe finds, by WCAG 2.2 AA and good practice',
      () => {
        /** Every page, in every state that it has. */
        const states = [
          '/signin',
          '/signin?error=CredentialsSignin',
          '/signin?error=Configuration',
          '/signout',
          '/verify-request',
          '/error',
          '/error?error=Configuration',
          '/error?error=AccessDenied',
          '/error?error=Verification',
          '/error?error=InvalidCheck',
          '/nowhere',
        ]

        /** Those that have every element between them. */
        const eachElement = [
          '/signin?error=CredentialsSignin',
          '/signout',
          '/verify-request',
          '/error',
        ]

        const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

        async function violations(runOnly = EVERYTHING): Promise<string[]> {
          const { violations } = await page.evaluate(async runOnly => {
            // The script was put there before the page itself.
            const { run } = (window as unknown as { axe: typeof axe }).axe
            return run(document, { runOnly, resultTypes: ['violations'] })
          }, runOnly)
          return violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(each => each.html).join(' ')}`,
          )
        }

        async function startWithAxe(options: BrowserContextOptions) {
          await startOver(options)
          await context.addInitScript({ content: axe.source })
        }

        const PHONE = { width: 390, height: 844 }

        it('in any of their states', async () => {
          await startWithAxe({ viewport: PHONE })
          for (const path of states) {
            await go(path)
            expect(await violations(), path).toEqual([])
          }
        })

        // The same elements in other colours.
        it.each([
          { colorScheme: 'dark', brandColor: '' },
          { colorScheme: 'light', brandColor: '#ffd400' },
          { colorScheme: 'light', brandColor: '#ffffff' },
        ] as const)('by contrast, with %j', async ({ colorScheme, brandColor }) => {
          useApplication({ theme: { brandColor } })
          await startWithAxe({ colorScheme, viewport: PHONE })
          for (const path of eachElement) {
            await go(path)
            expect(await violations(['color-contrast']), path).toEqual([])
          }
        })

        it('in a language that is written from the right', async () => {
          await startWithAxe({ locale: 'ar' })
          for (const path of eachElement) {
            await go(path)
            expect(await page.getAttribute('html', 'dir')).toBe('rtl')
            expect(await violations(), path).toEqual([])
          }
        })

        it('while a form is being sent, and with the last method marked', async () => {
          await startWithAxe({})
          await go('/signin')
          await page.evaluate(() => localStorage.setItem('auth.last-method', 'github'))
          await page.reload()
          await page.getByText('Last used').waitFor()
          await page
            .locator('form')
            .last()
            .evaluate(form => form.setAttribute('aria-busy', 'true'))
          expect(await violations()).toEqual([])
        })

        it('where there are passkeys, with scripts and without', async () => {
          useApplication({
            providers: [Passkey, ...external],
            experimental: { enableWebAuthn: true },
          })
          await startWithAxe({})
          await go('/signin')
          await button('Sign in with a passkey').waitFor()
          expect(await violations()).toEqual([])
          await startOver({ javaScriptEnabled: false })
          await go('/signin')
          expect(await page.locator('noscript p').isVisible()).toBe(true)
          expect(await button('Sign in with a passkey').count()).toBe(0)
        })

        it('with many providers, for somebody who is signed in, and after a failure', async () => {
          const login = Credentials({
            credentials: { email: { type: 'email' }, password: { type: 'password' } },
            authorize: ({ password }) =>
              password === 'right' ? { id: '1', email: 'ann@example.com' } : null,
          })
          useApplication({ providers: [...external, GitLab(client), login] })
          for (const colorScheme of ['light', 'dark'] as const) {
            await startWithAxe({ colorScheme, viewport: PHONE })
            for (const typed of ['wrong', 'right']) {
              await go('/signin')
              await page.getByLabel('Email').fill('ann@example.com')
              await page.getByLabel('Password').fill(typed)
              await page.keyboard.press('Enter')
              if (typed === 'wrong') await page.getByRole('alert').waitFor()
              else await page.waitForURL(`${served.origin}/`)
              if (typed === 'right') await go('/signin')
              expect(await violations(), `${colorScheme} ${typed}`).toEqual([])
            }
            await button('Sign in with GitLab').waitFor()
            expect(await page.getByText('ann@example.com').count()).toBe(1)
            await button('Sign out').click()
            await page.waitForURL(`${served.origin}/`)
            await go('/signin')
            expect(await page.getByText('ann@example.com').count()).toBe(0)
          }
        })

        it('when a link was sent, and when it is opened', async () => {
          await startWithAxe({})
          const link = await askForLink()
          expect(await page.getByText('ann@example.com').count()).toBe(1)
          expect(await violations()).toEqual([])
          await startWithAxe({})
          await page.goto(link)
          await page.getByText('ann@example.com').waitFor()
          expect(await violations()).toEqual([])
        })

        it('where developers are told what is wrong', async () => {
          useApplication({ pages: { signIn: 'no path' } }, { NODE_ENV: 'development' })
          await startWithAxe({})
          await go('/signin')
          await page.getByText('InvalidConfiguration: ').waitFor()
          expect(await violations()).toEqual([])
        })
      },
    )

    describe.runIf(about === 'behaviour')('do what they should', () => {
      describe('work with the keyboard alone', () => {
        it('since everything is reached in the order that it is seen, with a focus that is seen', async () => {
          await go('/signin?error=SessionRequired')
          const all = 'a, button, input:not([type=hidden])'
          const count = await page.locator(all).count()
          const places: number[] = []
          for (let pressed = 0; pressed < count; pressed += 1) {
            await page.keyboard.press('Tab')
            const { at, outline, top } = await page.evaluate(all => {
              const { activeElement } = document
              const { outlineStyle, outlineWidth } = getComputedStyle(
                activeElement ?? document.body,
              )
              return {
                at: [...document.querySelectorAll(all)].indexOf(activeElement ?? document.body),
                outline: `${outlineStyle} ${outlineWidth}`,
                top: (activeElement?.getBoundingClientRect().top ?? 0) + scrollY,
              }
            }, all)
            expect(at).toBe(pressed)
            expect(outline).toBe('solid 3px')
            places.push(top)
          }
          expect(places).toEqual([...places].sort((one, other) => one - other))
        })

        it('and a form is sent from its last field', async () => {
          await go('/signin')
          await page.getByLabel('User name').fill('ann')
          await page.getByLabel('Password').fill('wrong')
          await page.keyboard.press('Enter')
          await page.getByRole('alert').waitFor()
        })
      })

      describe('after a wrong password', () => {
        async function failToSignIn() {
          await go('/signin')
          await page.getByLabel('User name').fill('ann')
          await page.getByLabel('Password').fill('wrong')
          await button('Sign in with Password').click()
          await page.getByRole('alert').waitFor()
        }

        it.each([
          ['with scripts', true],
          ['without scripts', false],
        ])(
          'have the focus on the alert, and the next stop is the field to mend, %s',
          async (_, javaScriptEnabled) => {
            await startOver({ javaScriptEnabled })
            await failToSignIn()
            await expect.poll(() => page.locator('[role=alert]:focus').count()).toBe(1)
            expect(await page.getByLabel('User name').inputValue()).toBe('ann')
            expect(await page.getByLabel('Password').inputValue()).toBe('')
            expect(page.url()).not.toContain('ann')
            await page.keyboard.press('Tab')
            await page.keyboard.press('Tab')
            await page.keyboard.type('right')
            expect(await page.getByLabel('Password').inputValue()).toBe('right')
          },
        )
      })

      describe('show a password', () => {
        const isShown = () => page.getByLabel('Password').getAttribute('type')

        it('while its button is pressed in, and send it as one all the same', async () => {
          await go('/signin')
          await page.getByLabel('User name').fill('ann')
          await page.getByLabel('Password').fill('wrong')
          await button('Show password').click()
          expect(await isShown()).toBe('text')
          await page.getByRole('button', { name: 'Show password', pressed: true }).click()
          expect(await isShown()).toBe('password')
          await button('Show password').click()
          await page.evaluate(() => {
            const field = document.querySelector<HTMLInputElement>('[name=password]')
            addEventListener('submit', () => sessionStorage.setItem('sent as', field?.type ?? ''))
          })
          await button('Sign in with Password').click()
          await page.getByRole('alert').waitFor()
          expect(await page.evaluate(() => sessionStorage.getItem('sent as'))).toBe('password')
        })

        it('with a button that is not there without scripts', async () => {
          await startOver({ javaScriptEnabled: false })
          await go('/signin')
          expect(await page.locator('.reveal').isVisible()).toBe(false)
        })
      })

      describe('ask who wants to stay signed in', () => {
        const anybody = Credentials({
          credentials: {},
          authorize: () => ({ id: '1', name: 'Ann' }),
        })
        const expiryOfSession = async () => {
          const cookies = await context.cookies()
          return cookies.find(({ name }) => name.endsWith('session-token'))?.expires
        }

        it.each([
          ['tick', true],
          ['leave', false],
        ])('and remember it of those who %s the box', async (_what, ticks) => {
          useApplication({ providers: [anybody], session: { strategy: 'jwt', remember: 'ask' } })
          await go('/signin')
          if (ticks) await page.getByLabel('Keep me signed in').check()
          await page.getByRole('button').first().click()
          await expect.poll(expiryOfSession).toBeDefined()
          expect((await expiryOfSession()) === -1).toBe(!ticks)
        })

        it('but not without scripts, when nobody is remembered', async () => {
          await startOver({ javaScriptEnabled: false })
          useApplication({ providers: [anybody], session: { strategy: 'jwt', remember: 'ask' } })
          await go('/signin')
          expect(await page.getByLabel('Keep me signed in').isVisible()).toBe(false)
          await page.getByRole('button').first().click()
          await expect.poll(expiryOfSession).toBe(-1)
        })
      })

      describe('fit', () => {
        const pages = ['/signin?error=OAuthCallbackError', '/signout', '/verify-request', '/error']
        const overflow = () =>
          page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )

        it.each([
          ['a window of 1280 pixels at 200%', { width: 640, height: 512 }, '100%'],
          ['a phone with text at 200%', { width: 390, height: 844 }, '200%'],
          ['a window of 1280 pixels at 400%', { width: 320, height: 256 }, '100%'],
        ])('%s, with nothing cut off', async (_, viewport, fontSize) => {
          await startOver({ viewport })
          for (const path of pages) {
            await go(path)
            await page.evaluate(
              size => document.documentElement.style.setProperty('font-size', size),
              fontSize,
            )
            expect(await overflow(), path).toBe(0)
            const cut = await page.evaluate(() =>
              [...document.querySelectorAll<HTMLElement>('button, a, h1, p, label')]
                .filter(each => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
                .map(each => each.textContent),
            )
            expect(cut, path).toEqual([])
          }
        })

        it('fingers: nothing to press is less than 44 pixels high, but for links in the text', async () => {
          await startOver({ viewport: { width: 390, height: 844 } })
          await go('/signin')
          const heights = await page.evaluate(() =>
            [...document.querySelectorAll('button, input:not([type=hidden])')].map(
              each => each.getBoundingClientRect().height,
            ),
          )
          expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
        })
      })

      describe('send a form once, however often its button is pressed', () => {
        /** Answers nothing to a path until told to; counts what is asked. */
        function hold(path: string) {
          const inner = answer
          let asked = 0
          let release = () => {}
          const held = new Promise<void>(resolve => {
            release = resolve
          })
          answer = async request => {
            if (new URL(request.url).pathname !== path) return inner(request)
            asked += 1
            await held
            return inner(request)
          }
          return { asked: () => asked, release: () => release() }
        }

        it.each([
          ['with scripts', true],
          ['without scripts', false],
        ])('%s', async (_, javaScriptEnabled) => {
          await startOver({ javaScriptEnabled })
          await go('/signin')
          await page.getByLabel('User name').fill('ann')
          await page.getByLabel('Password').fill('wrong')
          const sent = hold('/auth/callback/credentials')
          await button('Sign in with Password').scrollIntoViewIfNeeded()
          const {
            x = 0,
            y = 0,
            width = 0,
            height = 0,
          } = (await button('Sign in with Password').boundingBox()) ?? {}
          for (let press = 0; press < 3; press += 1) {
            await page.mouse.click(x + width / 2, y + height / 2, { delay: 30 })
          }
          await expect.poll(sent.asked).toBeGreaterThan(0)
          expect(sent.asked()).toBe(1)
          sent.release()
          await page.getByRole('alert').waitFor()
          expect(sent.asked()).toBe(1)
        })

        it('but let a field that was forgotten be filled in at once', async () => {
          await go('/signin')
          await button('Sign in with Password').click()
          await page.getByLabel('User name').click()
          await page.keyboard.type('ann')
          expect(await page.getByLabel('User name').inputValue()).toBe('ann')
        })

        it('and can be sent again by who comes back to the page', async () => {
          await go('/signin')
          await page
            .locator('form')
            .last()
            .evaluate(form => form.setAttribute('aria-busy', 'true'))
          await page.evaluate(() =>
            dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
          )
          await page.getByLabel('User name').fill('ann')
          await page.getByLabel('Password').fill('wrong')
          await button('Sign in with Password').click()
          await page.getByRole('alert').waitFor()
        })
      })

      describe('remember', () => {
        it('which method was used last, and mark it', async () => {
          await go('/signin')
          expect(await page.getByText('Last used').count()).toBe(0)
          await page.getByLabel('User name').fill('ann')
          await page.getByLabel('Password').fill('wrong')
          await button('Sign in with Password').click()
          await page.getByRole('alert').waitFor()
          expect(await button('Sign in with Password').textContent()).toContain('Last used')
          expect(await page.getByText('Last used').count()).toBe(1)
        })

        it('nothing that is not a method on the page', async () => {
          await go('/signin')
          await page.evaluate(() => localStorage.setItem('auth.last-method', '"] ,form'))
          await page.reload()
          await button('Sign in with GitHub').waitFor()
          expect(await page.getByText('Last used').count()).toBe(0)
        })
      })

      it('go on by themselves from a link, in the browser that asked for it, and only there', async () => {
        const link = await askForLink()
        await page.goto(link)
        // The store knows no token, which one learns by sending the form.
        await page.getByRole('heading', { name: 'Unable to sign in' }).waitFor()
        await startOver()
        await page.goto(link)
        await button('Sign in').waitFor()
        expect(page.url()).toBe(link)
      })

      it('look light or dark as the device or the application says', async () => {
        const background = () =>
          page.evaluate(() => getComputedStyle(document.body).backgroundColor)
        const light = 'rgb(245, 246, 248)'
        const dark = 'rgb(13, 15, 19)'
        for (const [device, theme, expected] of [
          ['light', 'auto', light],
          ['dark', 'auto', dark],
          ['dark', 'light', light],
          ['light', 'dark', dark],
        ] as const) {
          useApplication({ theme: { colorScheme: theme } })
          await startOver({ colorScheme: device })
          await go('/error')
          expect(await background(), `${theme} on a ${device} device`).toBe(expected)
        }
      })

      it('keep still for who asked their device for it', async () => {
        await startOver({ reducedMotion: 'reduce' })
        await go('/signin')
        const moving = await page.evaluate(() => document.getAnimations().length)
        expect(moving).toBe(0)
      })

      describe('filled with attacks', () => {
        const attacks = [
          '"><img src=x onerror=globalThis.ran=1>',
          "'><svg onload=globalThis.ran=1>",
          '</title></style></script><script>globalThis.ran=1</script>',
          'javascript:globalThis.ran=1',
          '{provider}{{7*7}}{host}',
          '\u202Egnp.x" onfocus="globalThis.ran=1" autofocus="',
        ]

        /** Whether anything ran, or is there that should not be. */
        async function expectHarmless(where: string) {
          const seen = await page.evaluate(() => ({
            ran: 'ran' in globalThis,
            planted: document.querySelectorAll(
              'script:not([src*="/auth/assets/page."]), iframe, object, base, svg [href]',
            ).length,
            handlers: [...document.querySelectorAll('*')]
              .flatMap(each => each.getAttributeNames())
              .filter(each => each.startsWith('on')),
            links: [...document.querySelectorAll('a, form')]
              .map(each => each.getAttribute('href') ?? each.getAttribute('action') ?? '')
              .filter(each => !each.startsWith(location.origin)),
          }))
          expect(seen, where).toEqual({ ran: false, planted: 0, handlers: [], links: [] })
        }

        it.each(attacks)('in the configuration run nothing, and lose nothing: %j', async attack => {
          useApplication({
            providers: [
              {
                ...GitHub({ ...client, id: 'one' } as never),
                name: attack,
                style: {
                  logoPath: attack,
                  brandColor: attack,
                  bg: attack,
                  text: attack,
                  logo: attack,
                },
              } as never,
              {
                ...GitHub({ ...client, id: 'two' } as never),
                name: `two ${attack}`,
                style: { logoPath: [{ path: attack, fill: attack }] },
              } as never,
              Credentials({
                id: 'three',
                name: attack,
                credentials: {
                  [attack]: {
                    label: attack,
                    placeholder: attack,
                    value: attack,
                    type: attack,
                    [attack]: attack,
                  },
                },
                authorize: () => null,
              }),
            ],
            theme: {
              brandColor: attack,
              buttonText: attack,
              logo: attack,
              colorScheme: attack as 'dark',
            },
            translations: { en: { continueTo: attack, or: attack, lastUsed: attack } },
          })
          await go('/signin')
          await expectHarmless('/signin')
          const shown = await page.getByRole('button').allTextContents()
          expect(shown[0]).toContain(attack)
          expect(await page.locator('label').textContent()).toBe(attack)
          expect(await page.locator('input:not([type=hidden])').inputValue()).toBe(attack)
          expect(await page.locator('input:not([type=hidden])').getAttribute('name')).toBe(attack)
          expect(await page.locator('.or').first().textContent()).toBe(attack)
        })

        it.each(attacks)('in the address run nothing: %j', async attack => {
          const query = new URLSearchParams(
            [
              'error',
              'error_description',
              'code',
              'provider',
              'type',
              'email',
              'callbackUrl',
              'csrfToken',
              'theme',
              'lang',
            ].map(name => [name, attack]),
          )
          for (const path of ['/signin', '/signout', '/error', '/verify-request', '/nowhere']) {
            await go(`${path}?${query}`)
            await expectHarmless(path)
          }
          await go(`/signin?${query}`)
          expect(await page.getByLabel('Email').inputValue()).toBe(attack)
        })

        it.each(attacks)('in a link run nothing, and are not shown: %j', async attack => {
          await go(`/callback/mail?${new URLSearchParams({ token: attack, email: attack })}`)
          await expectHarmless('confirm')
          expect(await page.locator('body').innerText()).not.toContain(attack)
          expect(await page.locator('[name=token]').count()).toBe(0)
        })

        it.each(["o'neil&co#1%2f@example.com", 'b{`*}$|^@example.com'])(
          'in a link run nothing, and the address is shown as it is: %j',
          async email => {
            const token = 'f00d'.repeat(16)
            await go(`/callback/mail?${new URLSearchParams({ token, email })}`)
            await expectHarmless('confirm')
            expect(await page.locator('.quiet bdi').first().textContent()).toBe(email)
            expect(await page.locator('[name=email]').inputValue()).toBe(email)
            expect(await page.locator('[name=token]').inputValue()).toBe(token)
          },
        )
      })
    })
  })
}
