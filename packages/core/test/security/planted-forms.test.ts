import { expect, it } from 'vitest'
import { askForCode, codeApplication, typeCode } from '../email/code-application.ts'
import { browserWith, CookieJar } from './cookie-jar.ts'

// Without the prefix `__Host-`, which `useSecureCookies: false` and names of the application's own leave out, another host can set
// the token of forms and the request for a code, and have them sent before those of the visitor.

const NAMES = ['authjs.csrf-token', 'authjs.email-request']

it.each([
  ['cannot be read, for /', 'junk', '/'],
  ['cannot be read', 'junk', '/auth'],
  ['are those of the attacker', 'own', '/auth'],
  ['are those of the attacker, for one page', 'own', '/auth/signin'],
])(
  'cookies of another host that %s do not keep a visitor from signing in with a code',
  async (_, what, path) => {
    const application = codeApplication({ useSecureCookies: false })
    const mallory = application.visitor()
    await askForCode(application, mallory, 'mallory@example.com')
    const jar = new CookieJar()
    for (const name of NAMES) {
      const value = what === 'own' ? mallory.cookies.get(name) : what
      expect(value).toBeTruthy()
      jar.keep('evil.example.com', `${name}=${value}; Domain=example.com; Path=${path}; Secure`)
    }
    const ann = browserWith(jar, application.handle)
    const { code } = await askForCode(application, ann)
    expect(await typeCode(ann, code)).toBe('in')
    expect(await ann.session()).toMatchObject({ user: { email: 'ann@example.com' } })
  },
)
