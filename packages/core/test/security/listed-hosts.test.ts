import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

const HERE = 'https://app.example.com'

/** The options that list hosts or origins, each with one entry. */
const OPTIONS: Readonly<Record<string, (host: string) => Partial<AuthConfig>>> = {
  trustHost: host => ({ trustHost: [host] }),
  trustedOrigins: host => ({ trustedOrigins: [`https://${host}`] }),
  redirectProxyOrigins: host => ({ redirectProxyOrigins: [`https://${host}`] }),
}

/** What is wrong with a configuration, and what it warns of. */
async function reported(config: Partial<AuthConfig>, env: Readonly<Record<string, string>> = {}) {
  const auth = createTestAuth(config, env)
  await auth.handle(new Request(`${HERE}/auth/csrf`))
  return {
    faults: auth.errors.map(({ message }) => message),
    warnings: auth.warnings.filter(each => each === 'unknown-suffix'),
  }
}

describe.each(Object.entries(OPTIONS))('a pattern in %s', (option, withHost) => {
  it.each([
    '*',
    '*.com',
    '*.app',
    'example.*',
    'app.example.*',
    'app-*.com',
    '*.*',
    '*.*.com',
    '*.vercel.app',
    '*.netlify.app',
    '*.github.io',
    '*.pages.dev',
    '*.workers.dev',
    '*.herokuapp.com',
    '*.a.run.app',
    '*.run.app',
    '*.up.railway.app',
    '*.trycloudflare.com',
    '*.ngrok-free.app',
    '*.nip.io',
    '*.s3.amazonaws.com',
    '*.co.uk',
    '*.com.au',
    '*.co.jp',
    '*.uk.com',
    '*.example.ck',
    '*.Vercel.APP',
    '*.vercel.app:8443',
    'app-*.vercel.app',
    'a.*.vercel.app',
    '*.*.vercel.app',
  ])('is a fault if anyone can register such a host: %s', async host => {
    const { faults } = await reported(withHost(host))
    expect(faults).toEqual([expect.stringContaining(`${option} lists "`)])
    expect(faults[0]).toContain('anyone can register such a host. List your hosts one by one')
  })

  it.each([
    '**.example.com',
    'a*b*c.example.com',
    '*.example.com.',
    '*..example.com',
    '*.com.',
    '*.vercel.app.',
    '.*.example.com',
    '*.0.0.1',
    '*.example.com:*',
    '*.example.com/auth',
    '*.exa mple.com',
  ])('is a fault if no host can fit: %s', async host => {
    const { faults } = await reported(withHost(host))
    expect(faults).toEqual([expect.stringContaining(`${option} must list `)])
  })

  it.each([
    '*--my-site.netlify.app',
    '*-my-team.vercel.app',
    '*.lg.jp',
    '*.ca.us',
    '*.k12.ca.us',
    '*.eu-west-1.amazonaws.com',
    '*.westeurope.azurecontainerapps.io',
  ])('is warned of if that is not known: %s', async host => {
    expect(await reported(withHost(host))).toEqual({ faults: [], warnings: ['unknown-suffix'] })
  })

  it.each([
    '*.example.com',
    '*.preview.example.com',
    'app-*.example.com',
    '*-app.example.com',
    '*.pr-*.example.com',
    '*.example.co.uk',
    '*.my-app.vercel.app',
    '*.example.dev:8443',
    '*.localhost:3000',
    '*.corp.internal',
    'example.vercel.app',
  ])('is sound if one owner gives out such hosts: %s', async host => {
    expect(await reported(withHost(host))).toEqual({ faults: [], warnings: [] })
  })
})

describe('redirectProxyOrigins', () => {
  it.each([
    'preview.example.com',
    'https://preview.example.com/',
    'https://preview.example.com/auth',
    'https://user@preview.example.com',
    'https://**.example.com',
    'https://a*b*c.example.com',
    'https://example.*',
    'https://*',
    'https://example.com:*',
    'ftp://example.com',
    '*',
    '',
    7,
  ])('cannot have the entry %j', async entry => {
    const { faults } = await reported({ redirectProxyOrigins: [entry as string] })
    expect(faults).toEqual([expect.stringContaining('redirectProxyOrigins')])
  })
})

describe('a list of hosts', () => {
  it('that a variable has is judged as well', async () => {
    const variable = { AUTH_REDIRECT_PROXY_ORIGINS: 'https://*.example.com, https://*.vercel.app' }
    expect((await reported({}, variable)).faults).toEqual([
      expect.stringContaining('redirectProxyOrigins lists "https://*.vercel.app"'),
    ])
  })

  it('names what is not known in its warning', async () => {
    const told: (string | undefined)[] = []
    const logger = { warn: (_code: string, details?: string) => told.push(details) }
    const auth = createTestAuth({ trustHost: ['*.lg.jp', 'example.com'], logger })
    await auth.handle(new Request(`${HERE}/auth/csrf`))
    expect(told).toEqual(['trustHost lists "*.lg.jp".'])
  })
})

describe('trustHost', () => {
  const hostOf = async (host: string) => {
    const auth = createTestAuth({ trustHost: ['*.example.com', 'app-*.example.org'] })
    const response = await auth.handle(new Request(`https://${host}/auth/signin`))
    return response.status === 200
  }

  it.each(['a.example.com', 'A.Example.COM', 'app-7.example.org'])('trusts %s', async host => {
    expect(await hostOf(host)).toBe(true)
  })

  it.each([
    'example.com',
    'a.b.example.com',
    'app-.example.org',
    'app-7.a.example.org',
    'x.example.org',
  ])('replaces one label by a *, so %s is not trusted', async host => {
    expect(await hostOf(host)).toBe(false)
  })
})

describe('trustedOrigins', () => {
  async function signOut(origin: string, trustedOrigins: readonly string[]) {
    const auth = createTestAuth({ trustedOrigins })
    const response = await new Visitor(auth.handle).post('/signout', {}, { origin })
    return !response.headers.get('location')?.includes('error=')
  }

  it('takes forms from origins that fit a pattern', async () => {
    expect(await signOut('https://shop.example.org', ['https://*.example.org'])).toBe(true)
  })

  it.each([
    'https://example.org',
    'http://shop.example.org',
    'https://a.b.example.org',
    'https://shop.example.org:8443',
    'https://shop.example.org.evil.test',
    'https://evil.test',
  ])('takes none from %s', async origin => {
    expect(await signOut(origin, ['https://*.example.org'])).toBe(false)
  })

  it('compares origins of other schemes', async () => {
    expect(await signOut('capacitor://localhost', ['capacitor://localhost'])).toBe(true)
    expect(await signOut('capacitor://evil', ['capacitor://localhost'])).toBe(false)
  })
})
