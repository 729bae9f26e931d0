import { expect, it } from 'vitest'
import { inChromium } from '../in-chromium.ts'

inChromium('links and forms that the script handles', 'react-router', ({ site, open }) => {
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

  it('a link to the sign-in page shows that', async () => {
    const page = await open('/')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(`${site().base}/signin`)
    expect(await page.locator('form').count()).toBeGreaterThan(0)
  })

  it('a link to a page that is not theirs shows people the ErrorBoundary', async () => {
    const page = await open('/', 'Ben')
    await page.getByRole('link', { name: 'Admin' }).click()
    await page.getByText('Refused: 403').waitFor()
  })

  it('a form signs out, and the page shows it', async () => {
    const page = await open('/', 'Ada')
    await page.getByText('Hello, Ada').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Hello, stranger').waitFor()
  })

  it('data of a guarded route is not handed out, even if it is asked for alone', async () => {
    for (const query of ['', '?_routes=routes%2Fprivate', '?_routes=root']) {
      const response = await site().visit(site().visitor(), `/private.data${query}`)
      expect(response.status).toBe(202) // how React Router tells its script to go elsewhere
      expect(await response.text()).toContain('/auth/signin')
    }
  })
})
