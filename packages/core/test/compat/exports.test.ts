import * as oldCore from '@auth/core'
import * as oldAdapters from '@auth/core/adapters'
import * as oldErrors from '@auth/core/errors'
import * as oldJwt from '@auth/core/jwt'
import * as core from '@siteauth/core'
import * as adapters from '@siteauth/core/adapters'
import * as errors from '@siteauth/core/errors'
import * as jwt from '@siteauth/core/jwt'
import { expect, it } from 'vitest'

it.each([
  ['the package itself', oldCore, core],
  ['/adapters', oldAdapters, adapters],
  ['/errors', oldErrors, errors],
  ['/jwt', oldJwt, jwt],
])('exports every value of %s under the same name', (_, old, own) => {
  expect(Object.keys(own)).toEqual(expect.arrayContaining(Object.keys(old)))
})
