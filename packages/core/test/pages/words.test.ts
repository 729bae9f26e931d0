import type { AuthConfig } from '@siteauth/core'
import * as errors from '@siteauth/core/errors'
import Credentials from '@siteauth/core/providers/credentials'
import WebAuthn, { type WebAuthnUserConfig } from '@siteauth/core/providers/webauthn'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { findLanguage } from '../../src/lib/translations/languages.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

const LANGUAGES = [
  ...[
    'en',
    'de',
    'fr',
    'es',
    'pt',
    'it',
    'nl',
    'pl',
    'tr',
    'ru',
    'uk',
    'ar',
    'he',
    'hi',
    'ja',
    'ko',
  ],
  ...['zh-Hans', 'zh-Hant'],
]

const wordsIn = async (tag: string) =>
  (await findLanguage({ fixed: tag, translations: {} }, null)).messages

function createVisitor(config: Partial<AuthConfig> = {}) {
  const providers = [Credentials({ credentials: { name: {} }, authorize: () => null })]
  return new Visitor(createTestAuth({ providers, trustHost: true, ...config }).handle)
}

const pageIn = async (accept: string, config: Partial<AuthConfig> = {}, path = '/signin') =>
  (await createVisitor(config).get(path, { 'accept-language': accept, accept: 'text/html' })).text()

describe.each(LANGUAGES)('the messages in %s', tag => {
  it('are there, each of them, with the blanks that English has', async () => {
    const english = await wordsIn('en')
    const messages = await wordsIn(tag)
    const blanks = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
    expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort())
    for (const [name, text] of Object.entries(messages)) {
      expect(text, name).not.toBe('')
      expect(blanks(text), name).toEqual(blanks(english[name as keyof typeof english]))
    }
  })

  it('are used for a browser that asks for them', async () => {
    const { signInTitle } = await wordsIn(tag)
    const page = await pageIn(`${tag}, en;q=0.5`)
    const direction = ['ar', 'he'].includes(tag) ? 'rtl' : 'ltr'
    expect(page).toContain(`<html lang="${tag}" dir="${direction}">`)
    expect(page).toContain(`<title>${signInTitle}</title>`)
  })
})

describe('the language of a page', () => {
  it('is English where there is no other that the visitor reads', async () => {
    expect(await pageIn('tlh')).toContain('<html lang="en" dir="ltr">')
  })

  it('is what the application says, as a word or by the request', async () => {
    expect(await pageIn('fr', { language: 'de' })).toContain('<html lang="de"')
    const language = ({ url }: { url: string }) =>
      new URL(url).searchParams.get('lang') ?? undefined
    expect(await pageIn('fr', { language }, '/signin?lang=ja')).toContain('<html lang="ja"')
    expect(await pageIn('fr', { language })).toContain('<html lang="fr"')
  })

  it('may be one that the application adds, with English where it has no messages', async () => {
    const translations = { sv: { signIn: 'Logga in' }, 'fa-IR': { signIn: 'ورود' } }
    const swedish = await pageIn('sv-SE', { translations })
    expect(swedish).toContain('<html lang="sv" dir="ltr">')
    expect(swedish).toContain('<h1>Logga in</h1>')
    expect(swedish).toContain('to continue to')
    expect(await pageIn('fa-IR', { translations })).toContain('<html lang="fa-IR" dir="rtl">')
  })

  it('has the messages of the application instead of ours, also for its variants', async () => {
    const translations = { de: { signIn: 'Einloggen' }, 'de-AT': { or: 'oder halt' } }
    expect(await pageIn('de', { translations })).toContain('<h1>Einloggen</h1>')
    expect(await pageIn('de-AT', { translations })).toContain('<h1>Einloggen</h1>')
  })

  it('holds for the field of a passkey, unless the application names it', async () => {
    const pageWith = (passkey: WebAuthnUserConfig) =>
      pageIn('de', {
        adapter: MemoryAdapter(),
        providers: [WebAuthn(passkey)],
        experimental: { enableWebAuthn: true },
      })
    expect(await pageWith({})).toContain('>E-Mail<')
    const formFields = { email: { label: 'Work address' } }
    expect(await pageWith({ formFields })).toContain('>Work address<')
  })

  it('holds for pages about requests that lead nowhere, too', async () => {
    expect(await pageIn('nl', {}, '/nowhere')).toContain('Niet gevonden')
  })
})

describe('every failure that a visitor may know of', () => {
  const visible = Object.values(errors).flatMap(each => {
    if (typeof each !== 'function' || !('kind' in each)) return []
    const error = new (each as new () => errors.AuthError)()
    return errors.isClientError?.(error) ? [{ type: error.type, kind: error.kind }] : []
  })

  it('is among those that are tried here', () => {
    expect(visible.map(({ type }) => type)).toContain('OAuthAccountNotLinked')
    expect(visible.length).toBeGreaterThan(7)
  })

  it.each(visible)('has messages and a way on: $type', async ({ type, kind }) => {
    const path = kind === 'signIn' ? '/signin' : '/error'
    const page = await pageIn('en', {}, `${path}?error=${type}`)
    const general = await pageIn('en', {}, `${path}?error=SomethingElse`)
    const textOf = (html: string) =>
      (kind === 'signIn' ? /role="alert">.*?<\/div>/ : /<h1>.*?<\/p>/).exec(html)?.[0]
    expect(textOf(page)).not.toBe(textOf(general))
    expect(page).toMatch(/<a class="(?:button|site)" href="https:\/\/app\.example\.com/)
  })
})

describe('what is wrong inside', () => {
  const broken = Credentials({
    credentials: { name: {} },
    authorize: () => {
      throw new Error('the directory is down')
    },
  })

  it.each([
    ['development', true],
    ['production', false],
  ])('in %s is on the page that follows: %s', async (NODE_ENV, isShown) => {
    const auth = createTestAuth({ providers: [broken], trustHost: true }, { NODE_ENV })
    const visitor = new Visitor(auth.handle)
    const response = await visitor.post('/callback/credentials', { name: 'ann' })
    const page = await (await visitor.get(response.headers.get('location') ?? '')).text()
    expect(page.includes('the directory is down')).toBe(isShown)
    expect(page.includes('Only shown in development')).toBe(isShown)
  })
})
