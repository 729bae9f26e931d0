import { Auth as OldAuth } from '@auth/core'
import * as simpleWebAuthn9 from 'simplewebauthn-server-9'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { recordingLogger, SECRET, Visitor } from '../visitor.ts'
import { ADA, createPasskeyApplication, ORIGIN, outcomeOf, Person } from './passkey-application.ts'

/** Auth.js as it is used today, with version 9 of SimpleWebAuthn, on a store that we share. */
function oldApplication(adapter: ReturnType<typeof MemoryAdapter>) {
  const { logger, errors } = recordingLogger()
  const config = {
    secret: SECRET,
    trustHost: true,
    basePath: '/auth',
    adapter,
    logger,
    experimental: { enableWebAuthn: true },
    providers: [
      {
        id: 'passkey',
        name: 'Passkey',
        type: 'webauthn',
        enableConditionalUI: false,
        simpleWebAuthnBrowserVersion: 'v9.0.1',
        simpleWebAuthn: simpleWebAuthn9,
        getRelayingParty: () => ({ id: 'app.example.com', name: 'App', origin: ORIGIN }),
        getUserInfo: async () => {
          const user = await adapter.getUserByEmail(ADA)
          return user ? { user, exists: true } : { user: { email: ADA }, exists: false }
        },
        registrationOptions: {
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        },
      },
    ],
  }
  // A provider by hand, which its types do not foresee; and no `raw`, so it answers a Response.
  const answer = (request: Request) =>
    OldAuth(request, config as never) as unknown as Promise<Response>
  return { person: (of?: Person) => new Person(new Visitor(answer), 'passkey', of?.device), errors }
}

/** Version 9 sends the handle as a text, whose bytes the browser keeps. */
function asKept<T extends { user?: { id: string } }>(options: T): T {
  const id = Buffer.from(options.user?.id ?? '').toString('base64url')
  return { ...options, user: { ...options.user, id } }
}

describe('passkeys of the library that we succeed', () => {
  it('made with it, sign people in here', async () => {
    const adapter = MemoryAdapter()
    const old = oldApplication(adapter)
    const before = old.person()
    const options = asKept(await before.options({ action: 'register', email: ADA }))
    const registered = await before.answer('register', before.device.create(options))
    expect([outcomeOf(registered), old.errors]).toEqual([ORIGIN, []])

    const application = createPasskeyApplication({ adapter })
    const ada = application.person(before.device)
    expect(outcomeOf(await ada.signIn())).toBe(ORIGIN)
    expect(await ada.email()).toBe(ADA)
    expect(application.errors).toEqual([])
  })

  it('made here, sign people in there: going back is possible', async () => {
    const adapter = MemoryAdapter()
    const ada = createPasskeyApplication({ adapter }).person()
    await ada.register(ADA)
    const old = oldApplication(adapter)
    const after = old.person(ada)
    expect([outcomeOf(await after.signIn()), old.errors]).toEqual([ORIGIN, []])
    expect(await after.email()).toBe(ADA)
  })
})
