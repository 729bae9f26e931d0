import { decode } from '@siteauth/core/jwt'
import type { Callbacks } from '@siteauth/core/types'
import { describe, expect, it } from 'vitest'
import { SECRET } from '../visitor.ts'
import {
  ANN,
  createApplication,
  everybodyIs,
  SESSION_COOKIE,
  signedIn,
  signIn,
} from './application.ts'
import { memoryAdapter } from './memory-adapter.ts'

type JwtCall = Parameters<Callbacks['jwt']>[0]

/** Signs somebody in and answers what the `jwt` callback was told. */
async function jwtCallAt(user: object): Promise<JwtCall> {
  const calls: JwtCall[] = []
  const application = createApplication({
    providers: [everybodyIs(user)],
    callbacks: {
      jwt(params) {
        calls.push(structuredClone(params))
        return params.token
      },
    },
  })
  await signedIn(application)
  const [call] = calls
  if (!call) throw new Error('the jwt callback was not called')
  return call
}

describe('2.1 Session', () => {
  it('2.1 expires: is the end of the session as a string, an ISO date', async () => {
    const application = createApplication({ session: { maxAge: 3600 } })
    const visitor = await signedIn(application)
    expect(await visitor.session()).toHaveProperty('expires', '2030-01-01T01:00:00.000Z')
  })

  it('2.1 expires: is a string with database sessions, too', async () => {
    const { adapter } = memoryAdapter([ANN])
    const visitor = await signedIn(createApplication({ adapter, session: { maxAge: 3600 } }))
    expect(await visitor.session()).toHaveProperty('expires', '2030-01-01T01:00:00.000Z')
  })

  it('2.1 user: is the signed-in user', async () => {
    const { name, email, image } = ANN
    const visitor = await signedIn(createApplication())
    expect(await visitor.session()).toHaveProperty('user', { name, email, image })
  })

  it('2.1 user: may be missing, if the session callback leaves it out', async () => {
    const application = createApplication({
      callbacks: { session: ({ session: { expires } }) => ({ expires: String(expires) }) },
    })
    const session = await (await signedIn(application)).session()
    expect(session).not.toHaveProperty('user')
  })

  it('2.1 Session: gets further fields from the session callback, and is null where there is none', async () => {
    const application = createApplication({
      callbacks: { session: ({ session, token }) => Object.assign(session, { id: token.sub }) },
    })
    const visitor = await signedIn(application)
    expect(await visitor.session()).toHaveProperty('id', ANN.id)
    expect(await application.visitor().session()).toBeNull()
    expect(await application.getSession({ headers: {} })).toBeNull()
  })
})

describe('2.2 User', () => {
  it('2.2 id: is what authorize returned, as a string', async () => {
    expect((await jwtCallAt({ id: 42 })).user.id).toBe('42')
    expect((await jwtCallAt({ id: 'ann' })).user.id).toBe('ann')
  })

  it('2.2 id: may be missing, and is then a random one', async () => {
    const [first, second] = [await jwtCallAt({}), await jwtCallAt({})]
    expect(first.user.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(first.user.id).not.toBe(second.user.id)
  })

  it('2.2 name: is a string, null or missing', async () => {
    expect((await jwtCallAt({ id: '1', name: 'Ann' })).user.name).toBe('Ann')
    expect((await jwtCallAt({ id: '1', name: null })).user.name).toBeNull()
    expect((await jwtCallAt({ id: '1' })).user).not.toHaveProperty('name')
  })

  it('2.2 email: is a string, null or missing', async () => {
    expect((await jwtCallAt({ id: '1', email: 'ann@example.com' })).token.email).toBe(
      'ann@example.com',
    )
    expect((await jwtCallAt({ id: '1', email: null })).token.email).toBeNull()
    expect((await jwtCallAt({ id: '1' })).token.email).toBeUndefined()
  })

  it('2.2 image: is a string, null or missing', async () => {
    expect((await jwtCallAt({ id: '1', image: '/ann.png' })).user.image).toBe('/ann.png')
    expect((await jwtCallAt({ id: '1', image: null })).token.picture).toBeNull()
    expect((await jwtCallAt({ id: '1' })).token.picture).toBeUndefined()
  })

  it('2.2 User: is the second parameter of session when a database is used', async () => {
    const { adapter } = memoryAdapter([ANN])
    const application = createApplication({
      adapter,
      callbacks: { session: ({ session, user }) => Object.assign(session, { id: user.id }) },
    })
    expect(await (await signedIn(application)).session()).toHaveProperty('id', ANN.id)
  })
})

describe('2.3 Account', () => {
  it('2.3 provider: is the id of the provider', async () => {
    expect((await jwtCallAt({ id: '1' })).account?.provider).toBe('credentials')
  })

  it('2.3 providerAccountId: is the id that authorize returned', async () => {
    expect((await jwtCallAt({ id: 'ann' })).account?.providerAccountId).toBe('ann')
  })

  it('2.3 type: is that of the provider', async () => {
    expect((await jwtCallAt({ id: '1' })).account?.type).toBe('credentials')
  })

  it('2.3 userId: is missing for credentials, as are all tokens', async () => {
    expect((await jwtCallAt({ id: 'ann' })).account).toEqual({
      provider: 'credentials',
      providerAccountId: 'ann',
      type: 'credentials',
    })
  })
})

describe('2.5 JWT', () => {
  it('2.5 JWT: holds name, email and image when the jwt callback runs at sign-in', async () => {
    const { id, name, email, image } = ANN
    expect((await jwtCallAt(ANN)).token).toEqual({ sub: id, name, email, picture: image })
  })

  it('2.5 JWT: is the full token at later calls', async () => {
    const seen: object[] = []
    const application = createApplication({
      callbacks: {
        jwt({ token, trigger }) {
          seen.push(token)
          return trigger ? { ...token, role: 'admin' } : token
        },
      },
    })
    await (await signedIn(application)).session()
    expect(seen.at(-1)).toEqual({
      sub: ANN.id,
      name: 'Ann',
      email: ANN.email,
      picture: ANN.image,
      role: 'admin',
      iat: Date.UTC(2030, 0, 1) / 1000,
      exp: Date.UTC(2030, 0, 31) / 1000,
      jti: expect.any(String),
    })
  })

  it('2.5 JWT: is encrypted by default', async () => {
    const visitor = await signedIn(createApplication({ ports: {} }))
    const token = visitor.cookies.get(SESSION_COOKIE) ?? ''
    const [header = '', ...parts] = token.split('.')
    expect(JSON.parse(atob(header))).toMatchObject({ alg: 'dir', enc: 'A256CBC-HS512' })
    expect(parts).toHaveLength(4)
    for (const part of parts) {
      expect(atob(part.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain(ANN.email)
    }
    const opened = await decode({ token, secret: SECRET, salt: SESSION_COOKIE })
    expect(opened).toMatchObject({ email: ANN.email })
  })

  it('2.5 JWT: does not exist for database sessions, whose cookie names a row', async () => {
    const { adapter, sessions } = memoryAdapter([ANN])
    const visitor = createApplication({ adapter }).visitor()
    await signIn(visitor)
    expect([...sessions.keys()]).toEqual([visitor.cookies.get(SESSION_COOKIE)])
  })
})
