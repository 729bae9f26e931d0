import assert from 'node:assert/strict'
import { NextRequest } from 'next/server.js'
import NextAuth, { AuthError, CredentialsSignin } from 'next-auth'
import { getToken } from 'next-auth/jwt'
import Credentials from 'next-auth/providers/credentials'
import { SessionProvider, signIn, useSession } from 'next-auth/react'
import { signIn as signInByPasskey } from 'next-auth/webauthn'
import { authorize, settings, visit } from './visit.mjs'

const { handlers, auth } = NextAuth({
  ...settings,
  providers: [Credentials({ credentials: { name: {} }, authorize })],
})
const whoami = auth(request => Response.json(request.auth?.user?.name ?? null))

for (const each of [AuthError, CredentialsSignin, getToken, signInByPasskey]) assert.ok(each)
for (const each of [SessionProvider, signIn, useSession]) assert.ok(each)
await visit(
  request => handlers[request.method](new NextRequest(request)),
  'http://localhost/api/auth',
  async headers => {
    const request = new NextRequest('http://localhost/api/me', { headers })
    const response = await whoami(request, { params: Promise.resolve({}) })
    return (await response.json()) ?? undefined
  },
)
