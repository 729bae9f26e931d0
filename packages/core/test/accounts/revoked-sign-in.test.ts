import { describe, expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { createSite, isIn, STRATEGIES } from '../sessions/site.ts'
import { Visitor } from '../visitor.ts'

describe.each(STRATEGIES)('a sign-in that is revoked meanwhile, %s sessions', strategy => {
  it('links no account by its address', async () => {
    const site = await createSite(strategy)
    const thief = site.visitor()
    const started = await thief.post('/signin/op')
    const url = new URL(started.headers.get('location') ?? '')
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    back.search = site.openId.authorize(url).toString()
    site.clock.now += 1000
    await site.auth.users.revokeAccess('ann')
    const response = await thief.send(back.href)
    expect(response.headers.get('location')).toContain('InvalidCheck')
    expect(await isIn(thief)).toBe(false)
    expect(await site.store.listAccounts('ann')).toEqual([])
  })

  it('ends if its link lived longer when it was sent than links do by now', async () => {
    const links: URL[] = []
    const mail = (maxAge: number) => ({
      id: 'own',
      name: 'Own',
      type: 'email' as const,
      maxAge,
      generateVerificationToken: () => 'token-123456',
      sendVerificationRequest: ({ url }: { url: string }) => void links.push(new URL(url)),
    })
    const site = await createSite(strategy)
    const before = site.node({ providers: [mail(86_400)] })
    const after = site.node({ providers: [mail(3600)] })
    const thief = new Visitor(before.handle)
    await thief.post('/signin/own', { email: 'ann@example.test' })
    site.clock.now += 60_000
    await before.users.revokeAccess('ann')
    site.clock.now += 60_000
    const later = at(after, thief)
    await later.openLink(links.at(-1) as URL)
    expect(await isIn(later)).toBe(false)
  })
})
