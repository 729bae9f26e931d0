import { describe, expect, it } from 'vitest'
import {
  ANN,
  configFor,
  createApplication,
  STRATEGIES,
  signIn,
  writtenCookies,
} from '../spec/application.ts'
import type { Visitor } from '../visitor.ts'

const SITES = [
  { base: 'https://app.example.com/auth', secure: true },
  { base: 'http://app.example.com/auth', secure: false },
] as const

async function lineOf(response: Response | Promise<Response>, name: string): Promise<string> {
  const lines = (await response).headers.getSetCookie().filter(each => each.startsWith(`${name}=`))
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

describe.each(SITES)('Cookies at $base', ({ base, secure }) => {
  const session = `${secure ? '__Secure-' : ''}authjs.session-token`
  const csrf = `${secure ? '__Host-' : ''}authjs.csrf-token`
  const callback = `${secure ? '__Secure-' : ''}authjs.callback-url`
  const form = `${secure ? '__Host-' : ''}authjs.sign-in-form`
  const marker = `${secure ? '__Secure-' : ''}siteauth.changed`
  const end = `HttpOnly; ${secure ? 'Secure; ' : ''}SameSite=Lax`

  it.each(STRATEGIES)('the session ends with itself (%s)', async strategy => {
    const application = createApplication(configFor(strategy))
    const line = await lineOf(signIn(application.visitor(base)), session)
    const expires = 'Thu, 31 Jan 2030 00:00:00 GMT'
    expect(line.replace(/^[^=]+=[^;]+/, 'token')).toBe(`token; Path=/; Expires=${expires}; ${end}`)
  })

  it.each(STRATEGIES)('the session is removed by what it was set with (%s)', async strategy => {
    const visitor = createApplication(configFor(strategy)).visitor(base)
    await signIn(visitor)
    const line = await lineOf(visitor.post('/signout'), session)
    expect(line).toBe(`${session}=; Max-Age=0; Path=/; ${end}`)
  })

  it('the token of forms lives as long as the browser', async () => {
    const line = await lineOf(createApplication().visitor(base).get('/csrf'), csrf)
    expect(line.replace(/=[0-9a-f]{64}%7C[0-9a-f]{64}/, '=pair')).toBe(
      `${csrf}=pair; Path=/; ${end}`,
    )
  })

  it('the URL to return to lives as long as the browser, and is forgotten when it is used', async () => {
    const visitor = createApplication().visitor(base)
    const origin = encodeURIComponent(new URL(base).origin)
    const line = await lineOf(visitor.get('/signin?callbackUrl=/inbox'), callback)
    expect(line).toBe(`${callback}=${origin}%2Finbox; Path=/; ${end}`)
    const used = await lineOf(signIn(visitor), callback)
    expect(used).toBe(`${callback}=; Max-Age=0; Path=/; ${end}`)
  })

  it('the marker is another after each change and none other, and is all that scripts may read', async () => {
    const visitor = createApplication({ session: { updateAge: 0 } }).visitor(base)
    const lines: string[] = []
    for (const change of [
      () => signIn(visitor),
      () => visitor.postJson('/session', { data: 1 }),
      () => visitor.post('/signout'),
    ]) {
      const line = await lineOf(change(), marker)
      expect(line.replace(/=[0-9a-f]{16};/, '=random;')).toBe(
        `${marker}=random; Path=/; ${end.replace('HttpOnly; ', '')}`,
      )
      lines.push(line)
      const read = await visitor.get('/session')
      expect(writtenCookies(read).map(({ name }) => name)).not.toContain(marker)
    }
    expect(new Set(lines).size).toBe(3)
  })

  it('no other cookie is ever set, and none has a domain', async () => {
    const names = new Set<string>()
    const application = createApplication({ session: { updateAge: 0 } })
    const visitor = application.visitor(base)
    async function note(answering: Promise<Response>): Promise<void> {
      for (const { name, attributes } of writtenCookies(await answering)) {
        names.add(name)
        expect(attributes).not.toHaveProperty('domain')
        if (name !== marker) expect(attributes).toHaveProperty('httponly', true)
        expect(attributes['path']).toBe('/')
      }
    }
    for (const path of [
      '/session',
      '/csrf',
      '/providers',
      '/error',
      '/verify-request',
      '/nothing',
    ]) {
      await note(visitor.get(path))
    }
    await note(visitor.get('/signin?callbackUrl=/inbox&error=x'))
    await note(visitor.get('/signout?callbackUrl=/bye'))
    await note(visitor.post('/signin', { callbackUrl: '/a' }))
    await note(visitor.post('/callback/credentials', { callbackUrl: '/b' }))
    await note(signIn(visitor, ANN, { callbackUrl: '/c' }))
    await note(visitor.get('/session'))
    await note(visitor.postJson('/session', { data: 1 }))
    await note(visitor.post('/signout', { callbackUrl: '/d' }))
    expect([...names].sort()).toEqual([callback, csrf, form, marker, session].sort())
  })
})

describe('A visitor who comes over http', () => {
  it('is not signed in by the cookies of https, nor the other way round', async () => {
    const application = createApplication()
    const [secure, plain] = SITES.map(({ base }) => application.visitor(base)) as [Visitor, Visitor]
    await signIn(secure)
    await signIn(plain)
    const [overHttps, overHttp] = [secure.cookieHeader(), plain.cookieHeader()]
    expect(await (await secure.get('/session', { cookie: overHttp })).json()).toBeNull()
    expect(await (await plain.get('/session', { cookie: overHttps })).json()).toBeNull()
    const renamed = overHttp.replaceAll('authjs.', '__Secure-authjs.')
    expect(await (await secure.get('/session', { cookie: renamed })).json()).toBeNull()
  })
})

describe('A visitor who only looks', () => {
  it('gets no cookie: not by reading the session, nor the providers, nor an error', async () => {
    const application = createApplication()
    for (const path of ['/session', '/providers', '/error', '/verify-request', '/nothing']) {
      const response = await application.visitor().get(path)
      expect(response.headers.getSetCookie(), path).toEqual([])
    }
  })
})
