import { expect, it } from 'vitest'
import { inChromium } from '../in-chromium.ts'

inChromium('links and forms that the script handles', 'tanstack-start', ({ site, open }) => {
  it('a link to a guarded page leads strangers to sign in', async () => {
    const page = await open('/')
    await page.getByRole('link', { name: 'Private' }).click()
    await page.waitForURL(`${site().base}/signin?callbackUrl=%2Fprivate`)
    expect(await page.locator('form').count()).toBeGreaterThan(0)
  })

  it('a link to a guarded page shows it to whoever is signed in', async () => {
    const page = await open('/', 'Ada')
    await page.getByRole('link', { name: 'Private' }).click()
    await page.getByText('Private: Ada').waitFor()
  })

  it('a server function signs out, and the page shows it', async () => {
    const page = await open('/', 'Ada')
    await page.getByText('Hello, Ada').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Hello, stranger').waitFor()
  })

  it('a guarded server function answers those who are signed in, and sends others there', async () => {
    const ada = await open('/', 'Ada')
    await ada.getByRole('button', { name: 'Secret' }).click()
    await ada.getByText('the secret of Ada').waitFor()
    const stranger = await open('/')
    await stranger.getByRole('button', { name: 'Secret' }).click()
    const callbackUrl = encodeURIComponent(`${site().origin}/`)
    await stranger.waitForURL(`${site().base}/signin?callbackUrl=${callbackUrl}`)
  })

  it('the guard of a route runs if its path has characters that URLs encode', async () => {
    const ada = await site().visitorAs('Ada')
    const page = await site().visit(ada, '/%C3%BCber', { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('Behind the guard of a route.')
    for (const method of ['GET', 'HEAD', 'POST']) {
      const init = { method, headers: { accept: 'text/html' } }
      const denied = await site().visit(site().visitor(), '/%C3%BCber', init)
      expect(denied.status).toBe(302)
      expect(await denied.text()).not.toContain('Behind the guard of a route.')
    }
  })

  it('an error after a sign-out does not lose its cookie', async () => {
    const ada = await site().visitorAs('Ada')
    const response = await site().visit(ada, '/fail', { method: 'POST' })
    expect(response.status).toBe(500)
    expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/session-token=;/))
  })
})
