import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { agreeAt, signIn } from '../accounts/steps.ts'
import { ADDRESS, createWorld, userIn, type World } from '../accounts/world.ts'
import { ANN, BOB, createApplication, PASSWORD, signedIn } from '../spec/application.ts'
import type { Visitor } from '../visitor.ts'

/** A character that browsers take for a part of the name, while JavaScript's trim() removes it. */
const BLANK = '\u00a0'
const CSRF = '__Host-authjs.csrf-token'
const INVALID = 'https://app.example.com/auth/error?error=InvalidCheck'

/**
 * The `Cookie` header of a browser in which a sibling host has planted all cookies of someone else: with a
 * longer path, they come first. Browsers accept `__Host-` names only with something in front of them.
 */
function cookiesWithPlanted(from: Visitor, victim: Visitor): string {
  const planted = [...from.cookies].map(([name, value]) => {
    return `${name.startsWith('__Host-') ? BLANK : ''}${name}=${value}`
  })
  return [...planted, victim.cookieHeader()].filter(pairs => pairs !== '').join('; ')
}

describe('A cookie planted with a blank in front of its __Host- name', () => {
  const setting = { methods: 'ours', email: true, linksSignInAtOnce: true } as const
  const listAccounts = async (world: World, userId: string | null) =>
    (await world.store.listAccounts(userId ?? '')).map(account => account.providerAccountId)

  describe.each(['jwt', 'database'] as const)('with %s sessions', strategy => {
    it('adds no account to the user of someone else', async () => {
      const world = await createWorld({ ...setting, strategy })
      const { 'ann 1': ann, 'mallory 1': mallory } = world.browsers
      const malloryId = await signIn(world, mallory, 'vouching', 'mallory')
      await ann.get('/csrf')
      // Mallory begins to add an account, and has Ann finish it.
      const back = await agreeAt(world, mallory, 'loose', 'ann', ADDRESS.ann)
      const answer = await ann.send(back.href, {
        headers: { cookie: cookiesWithPlanted(mallory, ann) },
      })
      expect(answer.headers.get('location')).toBe(INVALID)
      expect(await listAccounts(world, malloryId)).toEqual(['mallory'])
    })

    it('signs nobody in by the provider', async () => {
      const world = await createWorld({ ...setting, strategy })
      const { 'ann 1': ann, 'mallory 1': mallory } = world.browsers
      const back = await agreeAt(world, mallory, 'loose', 'mallory')
      const answer = await ann.send(back.href, {
        headers: { cookie: cookiesWithPlanted(mallory, ann) },
      })
      expect(answer.headers.get('location')).toBe(INVALID)
      expect(await userIn(ann)).toBeNull()
    })

    it('signs nobody in by a link', async () => {
      const world = await createWorld({ ...setting, strategy })
      const { 'ann 1': ann, 'mallory 1': mallory } = world.browsers
      await mallory.post('/signin/mail', { email: ADDRESS.mallory })
      const link = world.links.at(-1)?.url.href ?? ''
      const headers = { cookie: cookiesWithPlanted(mallory, ann) }
      const answer = await ann.send(link, { headers })
      // A page, whose button Ann would have to press.
      expect(answer.status).toBe(200)
      expect(await userIn(ann)).toBeNull()
      // The browser that asked is signed in.
      await mallory.send(link)
      expect(await userIn(mallory)).not.toBeNull()
    })
  })

  it('proves no form to be of this site', async () => {
    const application = createApplication()
    const [attacker, victim] = [application.visitor(), application.visitor()]
    const csrfToken = await attacker.csrfToken()
    const answer = await victim.send('/callback/credentials', {
      method: 'POST',
      headers: { cookie: cookiesWithPlanted(attacker, victim) },
      body: new URLSearchParams({ csrfToken, username: BOB.name, password: PASSWORD }),
    })
    expect(answer.headers.get('location')).toContain('error=MissingCSRF')
    expect(await victim.session()).toBeNull()
  })

  it('keeps no form of this site from being accepted', async () => {
    const application = createApplication()
    const [attacker, victim] = [application.visitor(), application.visitor()]
    await attacker.csrfToken()
    const csrfToken = await victim.csrfToken()
    await victim.send('/callback/credentials', {
      method: 'POST',
      headers: { cookie: cookiesWithPlanted(attacker, victim) },
      body: new URLSearchParams({ csrfToken, username: ANN.name, password: PASSWORD }),
    })
    expect(await victim.session()).toMatchObject({ user: { name: 'Ann' } })
  })
})

describe('A session cookie with a __Host- name', () => {
  const NAME = '__Host-session'
  const options = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const
  const config: Partial<AuthConfig> = { cookies: { sessionToken: { name: NAME, options } } }

  async function visitors() {
    const application = createApplication(config)
    const signInAs = async (person: typeof ANN | typeof BOB) =>
      (await signedIn(application, person)).cookies.get(NAME) ?? ''
    const expired = await signInAs(ANN)
    application.clock.advance(31 * 86_400)
    const tokens = { expired, own: await signInAs(ANN), planted: await signInAs(BOB) }
    const sessionWith = async (cookie: string) =>
      (await application.visitor().get('/session', { cookie })).json()
    return { ...tokens, sessionWith }
  }

  it('is not replaced by a planted one, if it is worth nothing', async () => {
    const { expired, planted, sessionWith } = await visitors()
    for (const own of [expired, 'malformed', '']) {
      expect(await sessionWith(`${BLANK}${NAME}=${planted}; ${NAME}=${own}`)).toBeNull()
      expect(await sessionWith(`${NAME}=${own}; ${BLANK}${NAME}=${planted}`)).toBeNull()
    }
  })

  it('counts beside a planted one', async () => {
    const { own, planted, sessionWith } = await visitors()
    const session = { user: { name: 'Ann' } }
    expect(await sessionWith(`${BLANK}${NAME}=${planted}; ${NAME}=${own}`)).toMatchObject(session)
    expect(await sessionWith(`${NAME}=${own}; ${BLANK}${NAME}.0=${planted}`)).toMatchObject(session)
  })

  it('does not count if it came twice: browsers keep one', async () => {
    const { own, planted, sessionWith } = await visitors()
    expect(await sessionWith(`${NAME}=${planted}; ${NAME}=${own}`)).toBeNull()
    expect(await sessionWith(`${NAME}=${own}; ${NAME}=${planted}`)).toBeNull()
  })
})

it('A CSRF cookie that came twice does not count', async () => {
  const application = createApplication()
  const [attacker, victim] = [application.visitor(), application.visitor()]
  for (const csrfToken of [await attacker.csrfToken(), await victim.csrfToken()]) {
    const answer = await victim.send('/callback/credentials', {
      method: 'POST',
      headers: {
        cookie: `${CSRF}=${attacker.cookies.get(CSRF)}; ${CSRF}=${victim.cookies.get(CSRF)}`,
      },
      body: new URLSearchParams({ csrfToken, username: ANN.name, password: PASSWORD }),
    })
    expect(answer.headers.get('location')).toContain('error=MissingCSRF')
  }
})
