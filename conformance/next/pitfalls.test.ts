import { openSite, type Site } from '@siteauth/testing/integration'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inChromium } from '../in-chromium.ts'
import { startApplication } from '../start-application.mjs'

describe('in Next', () => {
  let site: Site & { close(): Promise<void> }
  beforeAll(async () => {
    const kind = { sessions: 'cookie', basePath: '/auth' } as const
    site = await openSite(kind, env => startApplication('next', env))
  })
  afterAll(() => site?.close())

  it('a page that guards itself sends strangers to sign in, and shows itself to others', async () => {
    const away = await site.visit(site.visitor(), '/members')
    expect(away.status).toBe(307)
    expect(away.headers.get('location')).toBe(`${site.base}/signin?callbackUrl=%2Fmembers`)
    const shown = await site.visit(await site.visitorAs('Ada'), '/members')
    expect(await shown.text()).toMatch(/Members: (<!-- -->)?Ada/)
  })

  it.each(['/private', '/members', '/admin'])(
    'what the router fetches of a page is guarded like the page: %s',
    async path => {
      const asRouter = { rsc: '1', accept: '*/*' }
      const ada = await site.visitorAs('Ada')
      const shown = await site.visit(ada, `${path}?_rsc=1`, { headers: asRouter })
      expect(shown.status).toBeLessThan(400)
      const prefetching = { ...asRouter, 'next-router-prefetch': '1' }
      for (const headers of [asRouter, prefetching]) {
        const response = await site.visit(site.visitor(), `${path}?_rsc=1`, { headers })
        expect(await response.text()).not.toMatch(/Private: |Members: |"admin"/)
      }
    },
  )

  it('a form that calls a server action changes the session, without a script', async () => {
    const ada = await site.visitorAs('Ada')
    const page = await (await site.visit(ada, '/account')).text()
    const [, , rename = ''] = page.split('<form')
    const [, action = ''] = /name="(\$ACTION_ID_[^"]+)"/.exec(rename) ?? []
    const body = new FormData()
    body.set(action, '')
    body.set('name', 'Countess')
    await site.visit(ada, '/account', { method: 'POST', body })
    expect(await site.nameOf(ada)).toBe('Countess')
  })

  it('no header leads past the proxy', async () => {
    for (const name of ['proxy', 'middleware', 'src/proxy', 'src/middleware']) {
      const headers = { 'x-middleware-subrequest': Array(5).fill(name).join(':') }
      const response = await site.visit(site.visitor(), '/private', { headers })
      expect([name, response.status]).toEqual([name, 307])
    }
  })
})

inChromium('in Next, with its router', 'next', ({ site, open }) => {
  /** Opens the page with the links, and waits until the router has fetched what they lead to. */
  const openAccount = async (name?: string) => {
    // Not the page itself: of some answers Next leaves the end unread, and the network is never idle.
    const page = await open('/still.txt', name)
    const fetched = ['private', 'members'].map(path => page.waitForRequest(`**/${path}?_rsc=*`))
    await page.goto(`${site().origin}/account`)
    await Promise.all(fetched)
    return page
  }

  const signIn = async (page: Awaited<ReturnType<typeof open>>) => {
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await page.getByLabel('Password').fill('right')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Account of Ada').waitFor()
  }

  it.each(['Private', 'Members'])(
    'a link that was fetched for a stranger leads in once they have signed in: %s',
    async name => {
      const page = await openAccount()
      await signIn(page)
      await page.getByRole('link', { name }).click()
      await page.getByText(`${name}: Ada`).waitFor()
    },
  )

  it.each(['Private', 'Members'])(
    'a page that was shown is not shown again after signing out: %s',
    async name => {
      const page = await openAccount('Ada')
      await page.getByRole('link', { name }).click()
      await page.getByText(`${name}: Ada`).waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('Hello, stranger').waitFor()
      await page.getByRole('link', { name }).click()
      await page.waitForURL(`${site().base}/signin?callbackUrl=**`)
    },
  )

  it('a server action tells strangers nothing, at whichever path they call it', async () => {
    const page = await openAccount('Ada')
    const called = page.waitForRequest(request => request.method() === 'POST')
    await page.getByRole('button', { name: 'Secret' }).click()
    await page.getByText('the secret of Ada').waitFor()
    const headers = {
      accept: 'text/x-component',
      'next-action': (await called).headers()['next-action'] ?? '',
    }
    const call = { method: 'POST', body: '[]', headers }
    const told = await site().visit(await site().visitorAs('Ben'), '/', call)
    expect(await told.text()).toContain('the secret of Ben')
    for (const path of ['/account', '/', '/members']) {
      const response = await site().visit(site().visitor(), path, call)
      expect(await response.text()).not.toContain('the secret of')
    }
  })
})
