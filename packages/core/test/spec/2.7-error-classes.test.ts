import * as errors from '@siteauth/core/errors'
import { AuthError, CredentialsSignin, isAuthError, SignInError } from '@siteauth/core/errors'
import { describe, expect, it } from 'vitest'

describe('2.7 Error classes', () => {
  it('2.7 AuthError: extends the error of the language', () => {
    const error = new AuthError('it failed')
    expect(error).toBeInstanceOf(Error)
    expect(error).toBeInstanceOf(AuthError)
    expect(isAuthError(error)).toBe(true)
  })

  it('2.7 AuthError message: is a string, empty where none is given', () => {
    expect(new AuthError('it failed').message).toContain('it failed')
    expect(new AuthError().message).toBe('')
  })

  it('2.7 AuthError name: is that of the class', () => {
    expect(new AuthError().name).toBe('AuthError')
    expect(new errors.AccessDenied().name).toBe('AccessDenied')
  })

  it('2.7 AuthError stack: leads to where it was made', () => {
    expect(new AuthError('it failed').stack).toContain('2.7-error-classes.test.ts')
  })

  it('2.7 AuthError type: identifies the error in logs', () => {
    expect(new errors.AccessDenied().type).toBe('AccessDenied')
    expect(new errors.JWTSessionError().type).toBe('JWTSessionError')
  })

  it('2.7 AuthError cause: is an object with the original error in err, and further members', () => {
    const original = new Error('disk full')
    expect(new AuthError('it failed', { cause: original }).cause).toEqual({ err: original })
    expect(new AuthError(original).cause).toEqual({ err: original })
    const details = { err: original, provider: 'github' }
    expect(new AuthError('it failed', { cause: details }).cause).toEqual(details)
    expect(new AuthError('it failed').cause).toBeUndefined()
  })

  it('2.7 AuthError constructor: takes a message and options, or options alone', () => {
    const cause = { err: new Error('disk full') }
    expect(new AuthError({ cause }).cause).toEqual(cause)
    expect(new AuthError('it failed', { cause })).toMatchObject({ message: 'it failed', cause })
  })

  it('2.7 CredentialsSignin: extends the base error and can be told from the others', () => {
    const error = new CredentialsSignin()
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toBeInstanceOf(SignInError)
    expect(error).not.toBeInstanceOf(errors.AccessDenied)
    expect(new errors.AccessDenied()).not.toBeInstanceOf(CredentialsSignin)
  })

  it('2.7 CredentialsSignin code: is a string, which a subclass or a caller may replace', () => {
    class AccountLocked extends CredentialsSignin {
      override code = 'account_locked'
    }
    expect(new CredentialsSignin().code).toBe('credentials')
    expect(new AccountLocked().code).toBe('account_locked')
    expect(new AccountLocked()).toBeInstanceOf(CredentialsSignin)
    expect(new CredentialsSignin()).not.toBeInstanceOf(AccountLocked)
    expect(new AccountLocked().type).toBe('CredentialsSignin')
  })

  it('2.7 CredentialsSignin type: is a static string, too', () => {
    expect(CredentialsSignin.type).toBe('CredentialsSignin')
  })

  it('2.7 CredentialsSignin constructor: takes nothing, a message, or a message and options', () => {
    expect(new CredentialsSignin().message).toBe('')
    expect(new CredentialsSignin('no').message).toBe('no')
    const cause = { err: new Error('locked') }
    expect(new CredentialsSignin('no', { cause })).toMatchObject({ message: 'no', cause })
  })

  it('2.7 AuthError: is recognised although another copy of the package made it', () => {
    const elsewhere = Object.assign(new Error('no'), { type: 'CredentialsSignin', kind: 'signIn' })
    expect(elsewhere).toBeInstanceOf(AuthError)
    expect(elsewhere).toBeInstanceOf(CredentialsSignin)
    expect(new Error('no')).not.toBeInstanceOf(AuthError)
  })

  it('2.7 AuthError: every class of the library is one, with a type and a page of its own', () => {
    const classes = Object.entries(errors).filter(([name]) => /^[A-Z]/.test(name))
    expect(classes.length).toBeGreaterThan(30)
    for (const [name, Class] of classes) {
      const error = new (Class as typeof AuthError)('no') // all exported values in upper case are
      expect(error, name).toBeInstanceOf(AuthError)
      expect(['signIn', 'error'], name).toContain(error.kind)
      if (!['AuthError', 'SignInError', 'MissingSecretError'].includes(name)) {
        expect(error.type, name).toBe(name)
      }
    }
  })
})
