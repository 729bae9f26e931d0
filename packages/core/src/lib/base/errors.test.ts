import * as old from '@auth/core/errors'
import { describe, expect, it, vi } from 'vitest'
import { createTestAuth, Visitor } from '../../../test/visitor.ts'
import * as errors from './errors.ts'
import {
  AccessDenied,
  AdapterError,
  AuthError,
  CredentialsSignin,
  isAuthError,
  isClientError,
  MissingCSRF,
  OAuthCallbackError,
  SignInError,
  UntrustedHost,
} from './errors.ts'

/** The same module, loaded once more: as where a bundler or a package manager has two copies. */
async function anotherCopy(): Promise<typeof errors> {
  vi.resetModules()
  return import('./errors.ts')
}

const classes = Object.values(errors).filter(
  (each): each is typeof AuthError => typeof each === 'function' && /^[A-Z]/.test(each.name),
)
const rows = classes.filter(each => each !== AuthError && each !== SignInError)

describe('every error', () => {
  it.each(rows.map(each => [each.name, each] as const))(
    '%s has a type and a page, and is explained',
    (_name, Kind) => {
      const error = new Kind('something')
      expect(error).toBeInstanceOf(Error)
      expect(error).toBeInstanceOf(AuthError)
      expect(error).toBeInstanceOf(Kind)
      expect(error.name).toBe(Kind.name)
      expect(error.message).toBe('something')
      expect(error.type).toBe(Kind.type)
      expect(error instanceof SignInError).toBe(error.kind === 'signIn')
      expect(isAuthError(error)).toBe(true)
      expect(error.help.endsWith(`/errors.md#${Kind.type.toLowerCase()}`)).toBe(true)
    },
  )

  it('of an application leads to where the class that it extends is explained', () => {
    class Locked extends CredentialsSignin {}
    class Quota extends AuthError {
      static override type = 'Quota'
    }
    expect(new Locked().help).toMatch(/#credentialssignin$/)
    expect(new Quota().help).toMatch(/errors\.md$/)
  })

  it('is told from all others', () => {
    for (const Kind of rows) {
      const error = new Kind()
      expect(rows.filter(Other => error instanceof Other)).toEqual([Kind])
    }
  })

  it('is called what the old library calls it', () => {
    const oldClasses = Object.entries(old).filter(
      ([name]) => name !== 'AuthError' && /^[A-Z]/.test(name),
    )
    for (const [name, Old] of oldClasses) {
      const ours = classes.find(each => each.type === name || each.name === name)
      expect([name, ours?.type]).toEqual([name, name])
      expect([name, ours?.kind]).toEqual([
        name,
        Reflect.get(new (Old as typeof old.AuthError)(), 'kind'),
      ])
    }
  })

  it('names to visitors what the old library names to them, and no secrets', () => {
    const visible = rows.filter(Kind => isClientError(new Kind())).map(({ type }) => type)
    expect(visible).toEqual(
      expect.arrayContaining([
        'AccessDenied',
        'AccountNotLinked',
        'CredentialsSignin',
        'MissingCSRF',
        'OAuthAccountNotLinked',
        'OAuthCallbackError',
        'Verification',
        'WebAuthnVerificationError',
      ]),
    )
    for (const hidden of ['AdapterError', 'MissingSecret', 'UntrustedHost', 'InvalidProvider']) {
      expect(visible).not.toContain(hidden)
    }
  })
})

describe('what is no error of ours', () => {
  it.each([
    ['an ordinary error', new Error('x')],
    ['an object like one', { type: 'AccessDenied', kind: 'error', message: 'x' }],
    ['an error with a type of its own', Object.assign(new Error('x'), { type: 'system' })],
    ['an error that claims half of it', Object.assign(new Error('x'), { type: 'AccessDenied' })],
    [
      'an error with a type that every object has',
      Object.assign(new Error('x'), { type: 'constructor', kind: 'error' }),
    ],
    ['null', null],
    ['undefined', undefined],
    ['a text', 'AccessDenied'],
  ])('is %s', (_what, value) => {
    expect(isAuthError(value)).toBe(false)
    expect(isClientError(value)).toBe(false)
    expect(value instanceof AuthError).toBe(false)
    expect(value instanceof AccessDenied).toBe(false)
  })
})

describe('an error of another copy of the package', () => {
  it('is known for what it is', async () => {
    const copy = await anotherCopy()
    expect(copy.AuthError).not.toBe(AuthError)
    const error: unknown = new copy.CredentialsSignin('no')
    expect(error).toBeInstanceOf(CredentialsSignin)
    expect(error).toBeInstanceOf(SignInError)
    expect(error).toBeInstanceOf(AuthError)
    expect(error).not.toBeInstanceOf(AccessDenied)
    expect(isClientError(error)).toBe(true)
    expect(new CredentialsSignin() instanceof copy.CredentialsSignin).toBe(true)
    expect(new CredentialsSignin() instanceof copy.MissingCSRF).toBe(false)
  })

  it('is known where an application has extended it', async () => {
    const copy = await anotherCopy()
    class Locked extends copy.CredentialsSignin {
      override code = 'locked'
    }
    class OtherLocked extends CredentialsSignin {}
    const error: unknown = new Locked()
    expect(error).toBeInstanceOf(CredentialsSignin)
    expect(error).toBeInstanceOf(Locked)
    expect(error).not.toBeInstanceOf(OtherLocked)
    expect((error as CredentialsSignin).type).toBe('CredentialsSignin')
  })

  it('is known where its type is not one of ours', async () => {
    const copy = await anotherCopy()
    class Quota extends copy.AuthError {
      static override type = 'QuotaExceeded'
    }
    for (const error of [new copy.AuthError('x'), new copy.SignInError('x'), new Quota('x')]) {
      expect(isAuthError(error)).toBe(true)
      expect(error instanceof AuthError).toBe(true)
      expect(error instanceof AccessDenied).toBe(false)
    }
    expect(new copy.SignInError('x') instanceof SignInError).toBe(true)
  })

  it('refuses a sign-in as our own does', async () => {
    const copy = await anotherCopy()
    class Locked extends copy.CredentialsSignin {
      override code = 'locked'
    }
    expect(await refusedWith(new Locked())).toBe('error=CredentialsSignin&code=locked')
  })
})

describe('an error of the old library', () => {
  it('is known for what it is', () => {
    const error: unknown = new old.CredentialsSignin('no')
    expect(error).toBeInstanceOf(CredentialsSignin)
    expect(error).toBeInstanceOf(SignInError)
    expect(error).toBeInstanceOf(AuthError)
    expect(error).not.toBeInstanceOf(OAuthCallbackError)
    expect(isClientError(error)).toBe(true)
    expect(new old.AccessDenied() instanceof SignInError).toBe(false)
    expect(isClientError(new old.AdapterError())).toBe(false)
    expect(isAuthError(new old.AdapterError())).toBe(true)
  })

  it('refuses a sign-in as our own does', async () => {
    class Locked extends old.CredentialsSignin {
      override code = 'locked'
    }
    expect(await refusedWith(new Locked())).toBe('error=CredentialsSignin&code=locked')
  })
})

describe("an application's own error", () => {
  class Locked extends CredentialsSignin {
    override code = 'locked'
  }

  it('is ours, and its own', () => {
    const error = new Locked()
    expect(error).toBeInstanceOf(Locked)
    expect(error).toBeInstanceOf(CredentialsSignin)
    expect(new CredentialsSignin()).not.toBeInstanceOf(Locked)
    expect(error).toMatchObject({
      name: 'Locked',
      type: 'CredentialsSignin',
      kind: 'signIn',
      code: 'locked',
    })
  })

  it('refuses a sign-in with its own code', async () => {
    expect(await refusedWith(new Locked())).toBe('error=CredentialsSignin&code=locked')
    expect(await refusedWith(new CredentialsSignin())).toBe(
      'error=CredentialsSignin&code=credentials',
    )
  })

  it('cannot put anything but a code into the URL', async () => {
    class Sly extends CredentialsSignin {
      override code = 'x&error=AccessDenied#\r\nSet-Cookie: a=b'
    }
    const params = new URLSearchParams(await refusedWith(new Sly()))
    expect(params.get('error')).toBe('CredentialsSignin')
    expect(params.get('code')).toBe('x&error=AccessDenied#\r\nSet-Cookie: a=b')
  })

  it('with a type of its own is reported by that type, and not named to visitors', () => {
    class Quota extends AuthError {
      static override type = 'QuotaExceeded'
    }
    const error = new Quota('too many')
    expect(error.type).toBe('QuotaExceeded')
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toBeInstanceOf(Quota)
    expect(isClientError(error)).toBe(false)
  })
})

describe('a cause', () => {
  const root = new Error('root')

  it.each([
    ['an error alone', new AdapterError(root), { err: root }],
    ['an error as options', new AdapterError('m', root), { err: root }],
    ['cause', new AdapterError('m', { cause: root }), { err: root }],
    [
      'cause in a record',
      new AdapterError('m', { cause: { err: root, provider: 'p' } }),
      { err: root, provider: 'p' },
    ],
    ['facts', new AdapterError('m', { provider: 'p' }), { provider: 'p' }],
    ['facts alone', new AdapterError({ provider: 'p' }), { provider: 'p' }],
    ['an error and facts', new AdapterError(root, { provider: 'p' }), { err: root, provider: 'p' }],
    [
      'cause and facts',
      new AdapterError('m', { cause: root, provider: 'p' }),
      { err: root, provider: 'p' },
    ],
    ['a cause that is a text', new AdapterError('m', { cause: 'refused' }), { reason: 'refused' }],
    ['a cause that is a number', new AdapterError('m', { cause: 7 }), { reason: '7' }],
  ])('given as %s is kept', (_what, error, cause) => {
    expect(error.cause).toEqual(cause)
  })

  it('of a cause is kept', () => {
    const middle = new AdapterError('middle', { cause: root })
    const outer = new AuthError('outer', { cause: middle })
    expect(outer.cause?.err).toBe(middle)
    expect(middle.cause?.err).toBe(root)
    const native = new AuthError(new Error('middle', { cause: root }))
    expect(native.cause?.err?.cause).toBe(root)
  })

  it('with facts hands them on', () => {
    const inner = new AdapterError('inner', { table: 'users' })
    expect(new AuthError('outer', { cause: inner }).cause).toEqual({ err: inner, table: 'users' })
  })

  it('lends its message where there is no other', () => {
    expect(new AdapterError(root).message).toBe('root')
    expect(new AdapterError().message).toBe('')
  })

  it('is absent where there is none', () => {
    for (const error of [new AuthError(), new AuthError('m'), new AuthError('m', {})]) {
      expect(Object.keys(error.cause ?? {})).toEqual([])
    }
    expect('cause' in new UntrustedHost('m')).toBe(false)
  })

  it('does not show the brand to those who print an error', () => {
    expect(JSON.stringify(new MissingCSRF('m'))).not.toContain('brand')
    expect(Object.keys(new MissingCSRF('m')).sort()).toEqual(['help', 'kind', 'name', 'type'])
  })
})

/** What the URL of the page says to which a visitor is sent whose sign-in is refused like this. */
async function refusedWith(error: unknown): Promise<string> {
  const auth = createTestAuth({
    providers: [
      {
        id: 'credentials',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize: () => {
          throw error
        },
      },
    ],
  })
  const response = await new Visitor(auth.handle).post('/callback/credentials')
  const url = new URL(response.headers.get('location') ?? '')
  expect(url.pathname).toBe('/auth/signin')
  return url.search.slice(1)
}
