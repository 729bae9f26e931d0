import { describe, expect, it } from 'vitest'
import {
  ANN,
  createApplication,
  everybodyIs,
  ORIGIN,
  SESSION_COOKIE,
  signedIn,
} from '../spec/application.ts'
import { memoryAdapter } from '../spec/memory-adapter.ts'

/** A user as careless applications answer it: the whole row. */
const ROW = {
  ...ANN,
  passwordHash: '$argon2id$v=19$secret-hash',
  role: 'admin',
  phone: '+49 30 901820',
  tokens: { access: 'secret-access-token' },
}

const PROJECTED = {
  user: { name: ANN.name, email: ANN.email, image: ANN.image },
  expires: expect.any(String),
}

describe('What a browser sees of a session by default', () => {
  it('is name, email, image and the end of it, with JWT sessions', async () => {
    const application = createApplication({ providers: [everybodyIs(ROW)] })
    const visitor = await signedIn(application)
    expect(await visitor.session()).toEqual(PROJECTED)
    expect(await visitor.postJson('/session', { data: {} }).then(each => each.json())).toEqual(
      PROJECTED,
    )
    const request = { headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }
    expect(await application.getSession(request)).toEqual(PROJECTED)
  })

  it('is the same with database sessions, whatever the row holds', async () => {
    const { adapter } = memoryAdapter([ROW])
    const application = createApplication({ providers: [everybodyIs(ROW)], adapter })
    const visitor = await signedIn(application)
    expect(await visitor.session()).toEqual(PROJECTED)
    const text = await (await visitor.get('/session')).text()
    expect(text).not.toContain(visitor.cookies.get(SESSION_COOKIE))
    expect(text).not.toContain(ANN.id)
    const request = { headers: { cookie: visitor.cookieHeader() }, url: ORIGIN }
    expect(await application.getSession(request)).toEqual(PROJECTED)
  })

  it('never holds what the token was given besides', async () => {
    const application = createApplication({
      providers: [everybodyIs(ROW)],
      callbacks: { jwt: ({ token, user }) => (user ? { ...token, ...user } : token) },
    })
    const text = await (await (await signedIn(application)).get('/session')).text()
    for (const secret of ['argon2', 'admin', '+49', 'secret-access-token', ANN.id]) {
      expect(text).not.toContain(secret)
    }
  })

  it('leaves out what is not known, rather than making it up', async () => {
    const application = createApplication({ providers: [everybodyIs({ id: '1' })] })
    expect(await (await signedIn(application)).session()).toEqual({
      user: {},
      expires: expect.any(String),
    })
  })
})

describe('What a browser sees of the providers', () => {
  it('is id, name, type and two URLs', async () => {
    const application = createApplication()
    const listed = (await (await application.visitor().get('/providers')).json()) as object
    for (const provider of Object.values(listed)) {
      expect(Object.keys(provider).sort()).toEqual([
        'callbackUrl',
        'id',
        'name',
        'signinUrl',
        'type',
      ])
    }
  })
})
