import { expect, it } from 'vitest'
import { inChromium } from '../in-chromium.ts'

inChromium('in a browser', 'sveltekit', ({ open }) => {
  it('a link that the router follows leads strangers to the sign-in page', async () => {
    const page = await open('/')
    await page.getByRole('link', { name: 'Private' }).click()
    await page.waitForURL('**/auth/signin?*')
    expect(new URL(page.url()).searchParams.get('callbackUrl')).toMatch(/\/private$/)
  })

  it('a form that the router sends signs in, after it was told what is wrong', async () => {
    const page = await open('/login')
    await page.locator('[name=name]').fill('Ada')
    await page.locator('[name=password]').fill('wrong')
    await page.getByRole('button').click()
    await page.getByText('Who are you?').waitFor()
    await page.locator('[name=name]').fill('Ada')
    await page.locator('[name=password]').fill('right')
    await page.getByRole('button').click()
    await page.getByText('Private: Ada').waitFor()
  })

  it('a page from the server asks for nothing, and knows when somebody signs out in another tab', async () => {
    const page = await open('/', 'Ada')
    await page.getByText('authenticated: Ada').waitFor()
    const other = await page.context().newPage()
    const asked: string[] = []
    other.on('request', request => asked.push(new URL(request.url()).pathname))
    await other.goto(page.url(), { waitUntil: 'networkidle' })
    expect(asked).not.toContain('/auth/session')
    await page.getByRole('button', { name: 'Sign out by script' }).click()
    await other.getByText('unauthenticated: nobody').waitFor()
  })

  it('a prerendered page is the same for everybody', async () => {
    const page = await open('/about')
    await page.getByText('About, for everybody').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL('**/auth/signin')
  })
})
