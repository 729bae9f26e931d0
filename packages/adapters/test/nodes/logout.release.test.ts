import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, openChromium } from '../../../core/test/browser/chromium.ts'
import { type RealProvider, startRealProvider } from '../../../core/test/oauth/real-provider.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { type BuiltChild, buildChild } from '../child-process.ts'
import { createPostgresDatabase, POSTGRES_URL } from '../servers.ts'
import { type Node, startNode } from './start-nodes.ts'

// A certified provider, Chromium, and three servers of one application on PostgreSQL. To the browser the
// provider is another site; the three servers are one, since ports make no difference to cookies.

type Browser = Awaited<ReturnType<typeof openChromium>>
type Context = Awaited<ReturnType<Browser['newContext']>>
type Page = Awaited<ReturnType<Context['newPage']>>

const isThere = POSTGRES_URL !== undefined && findChromium() !== null
const client = { client_secret: 'a client secret: long enough', response_types: ['code'] }

describe.skipIf(!isThere)('three servers and their provider', { timeout: 240_000 }, () => {
  let child: BuiltChild
  let provider: RealProvider
  let browser: Browser
  let context: Context
  let page: Page
  const nodes: Node[] = []

  beforeAll(async () => {
    const url = await createPostgresDatabase()
    const { migrations, close } = PostgresAdapter({ url })
    await migrations.apply()
    await close()
    provider = await startRealProvider({ clients: [], redirectUris: [], framed })
    child = await buildChild(`${import.meta.dirname}/node.ts`)
    const settings = { pollSeconds: 3600, hasChannel: true, issuer: provider.issuer }
    for (let index = 0; index < 3; index++) {
      nodes.push(await startNode(child, 'PostgreSQL', url, settings))
    }
    for (const id of ['op', 'framed']) await provider.register(registered(id))
    browser = await openChromium()
  }, 240_000)

  afterAll(async () => {
    await browser?.close()
    for (const node of nodes) await node.stop()
    await provider?.close()
    child?.remove()
  })

  beforeEach(async () => {
    context = await browser.newContext()
    page = await context.newPage()
  })
  afterEach(() => context.close())

  /** Where a server is to the browser. */
  const at = (index: number) =>
    `${nodes[index]?.origin.replace('127.0.0.1', 'localhost')}/whole/auth`

  function registered(id: string) {
    return {
      ...{ client_id: id, ...client, redirect_uris: [`${at(0)}/callback/${id}`] },
      post_logout_redirect_uris: [`${at(0)}/signout/return`],
      // Of a server that the browser does not speak with. Without it, id_tokens have no `sid`.
      backchannel_logout_uri: `${nodes[2]?.origin}/whole/auth/backchannel-logout/${id}`,
      backchannel_logout_session_required: true,
    }
  }

  function framed(sidFor: (clientId: string) => string | undefined): string | null {
    const sid = sidFor('framed')
    const iss = provider.issuer
    return sid ? `${at(1)}/frontchannel-logout/framed?${new URLSearchParams({ iss, sid })}` : null
  }

  async function signIn(id: string): Promise<void> {
    await page.goto(`${at(0)}/signin`)
    await page.getByRole('button', { name: `Sign in with ${id}` }).click()
    await page.locator('[name=login]').fill(id)
    await page.locator('[name=password]').fill('any')
    await page.getByRole('button').first().click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(url => url.hostname === 'localhost')
    expect(await seen()).toEqual([id, id, id])
  }

  /** Who is signed in, to each server. */
  function seen(): Promise<unknown[]> {
    return Promise.all(
      nodes.map(async (_, index) => {
        const response = await context.request.get(`${at(index)}/session`)
        return (await response.json())?.user?.name ?? null
      }),
    )
  }

  const POLL_OPTIONS = { timeout: 30_000, interval: 20 }
  const NOBODY = [null, null, null]

  it('whoever signs out here is signed out there, and comes back', async () => {
    await signIn('op')
    await page.goto(`${at(0)}/signout?callbackUrl=/whole/auth/signin`)
    await page.getByRole('button').click()
    await page.waitForURL(`${provider.issuer}/session/end?**`)
    await expect.poll(seen, POLL_OPTIONS).toEqual(NOBODY)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForURL(`${at(0)}/signin`)
    await page.getByRole('button', { name: 'Sign in with op' }).click()
    // The provider has forgotten them, too.
    await page.locator('[name=login]').waitFor()
    const cookies = await context.cookies()
    expect(cookies.filter(({ name }) => name.includes('siteauth.hint'))).toEqual([])
  })

  it('whoever signs out there is signed out here, by a notice to one of the servers', async () => {
    await signIn('op')
    await page.goto(`${provider.issuer}/session/end`)
    expect(await seen()).toEqual(['op', 'op', 'op'])
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect.poll(seen, POLL_OPTIONS).toEqual(NOBODY)
  })

  it('whoever is about to sign out there is signed out here, by a frame without cookies', async () => {
    await signIn('framed')
    await page.goto(`${provider.issuer}/session/end`)
    await expect.poll(seen, POLL_OPTIONS).toEqual(NOBODY)
  })
})
