import assert from 'node:assert/strict'
import { Auth } from '@auth/core'
import { AuthError } from '@auth/core/errors'
import { getToken } from '@auth/core/jwt'
import Credentials from '@auth/core/providers/credentials'
import { authorize, settings, visit } from './visit.mjs'

const config = { ...settings, providers: [Credentials({ credentials: { name: {} }, authorize })] }

assert.ok(AuthError)
await visit(
  request => Auth(request, config),
  'http://localhost/auth',
  async headers => (await getToken({ req: { headers }, secret: settings.secret }))?.name,
)
