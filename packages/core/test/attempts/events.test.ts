import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ANN, createWorld, PASSWORDS } from '../principal/world.ts'
import { createSite } from './site.ts'
import { WAYS } from './ways.ts'

it.each(Object.entries(WAYS))(
  'the event signIn of %s is reported once, after the session has started and before the response is sent',
  async (_, way) => {
    const steps: string[] = []
    const site = await createSite('jwt', 0, {
      callbacks: {
        jwt({ token, trigger }) {
          if (trigger === 'signIn' || trigger === 'signUp') steps.push('session')
          return token
        },
      },
      events: {
        async signIn() {
          await setImmediate()
          steps.push('event')
        },
      },
    })
    const browser = way.isSignedIn ? await site.signedIn() : site.visitor()
    const last = await way.begin(site, browser)
    steps.length = 0
    await last()
    expect([...steps, 'response']).toEqual(['session', 'event', 'response'])
  },
)

it('the event signIn of a call is reported before the call resolves', async () => {
  const steps: string[] = []
  const world = await createWorld({ strategy: 'jwt', check: 'always' }, { isSignedIn: false })
  const auth = world.configured({
    events: {
      async signIn({ user }) {
        await setImmediate()
        steps.push(`event for ${user.email}`)
      },
    },
  })
  const request = new Request('https://app.example.com/', { method: 'POST' })
  await auth.signIn(request, 'password', { email: ANN.email, password: PASSWORDS.ann })
  expect([...steps, 'resolved']).toEqual([`event for ${ANN.email}`, 'resolved'])
})
