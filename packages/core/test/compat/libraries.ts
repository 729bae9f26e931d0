import * as theirCore from '@auth/core'
import * as theirAdapters from '@auth/core/adapters'
import * as theirErrors from '@auth/core/errors'
import * as theirJwt from '@auth/core/jwt'
import theirCredentials from '@auth/core/providers/credentials'
import * as ourCore from '@siteauth/core'
import * as ourAdapters from '@siteauth/core/adapters'
import * as ourErrors from '@siteauth/core/errors'
import * as ourJwt from '@siteauth/core/jwt'
import ourCredentials from '@siteauth/core/providers/credentials'

/** What a scenario may use of a library: the names that both of them export. */
export interface Library {
  readonly core: Pick<typeof ourCore, keyof typeof theirCore>
  readonly jwt: Pick<typeof ourJwt, keyof typeof theirJwt>
  // Exported by both, but hidden in the declarations of one.
  readonly errors: Pick<typeof ourErrors, keyof typeof theirErrors | 'isClientError'>
  readonly adapters: Pick<typeof ourAdapters, keyof typeof theirAdapters>
  readonly Credentials: typeof ourCredentials
}

export const ours: Library = {
  core: ourCore,
  jwt: ourJwt,
  errors: ourErrors,
  adapters: ourAdapters,
  Credentials: ourCredentials,
}

// The same names, by our types: that they can be used in the same way is what is being tested.
export const theirs: Library = {
  core: theirCore,
  jwt: theirJwt,
  errors: theirErrors,
  adapters: theirAdapters,
  Credentials: theirCredentials,
} as unknown as Library
