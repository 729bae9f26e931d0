import { setUpPage } from '@siteauth/nuxt/app'
import { expect, it } from 'vitest'
import { createSSRApp } from 'vue'

const ADA = { user: { name: 'Ada' }, expires: '2100-01-01T00:00:00.000Z' }

function askOnServer(session: typeof ADA | null | undefined, href: string) {
  const app = createSSRApp({ render: () => null })
  return setUpPage(app, { basePath: '/shop/auth', session }).signInPageFor(href)
}

it('sends strangers to sign in, and back to where they were', async () => {
  const page = await askOnServer(null, '/shop/account?tab=2')
  expect(page).toBe('/shop/auth/signin?callbackUrl=%2Fshop%2Faccount%3Ftab%3D2')
})

it('lets whoever is signed in pass', async () => {
  expect(await askOnServer(ADA, '/account')).toBeUndefined()
})

it('leaves it to browsers where a page is rendered for everybody', async () => {
  expect(await askOnServer(undefined, '/account')).toBeUndefined()
})

it.each(['//evil.example', '/\\evil.example', '\\\\evil.example'])(
  'sends nobody back to another site: %s',
  async href => {
    const page = await askOnServer(null, href)
    expect(page).toBe('/shop/auth/signin?callbackUrl=%2Fevil.example')
  },
)
