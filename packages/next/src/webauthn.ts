'use client'

// Named one by one: Next cannot see through `export *` where client code begins.
export {
  cancelPasskey,
  createPasskeyClient,
  PasskeyError,
  type PasskeyErrorType,
  type PasskeySignIn,
  type PasskeySignInOptions,
  signIn,
} from '@siteauth/react/webauthn'
