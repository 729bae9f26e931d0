import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTestAuth } from '../../../../test/visitor.ts'
import type { Theme } from '../../branding/theme.ts'
import { messages } from '../../translations/en.ts'
import { html } from './html.ts'
import { layout, type PageContent } from './layout.ts'

const show = (theme: Theme, content: Partial<PageContent> = {}) =>
  layout(
    {
      theme,
      language: { tag: 'en', direction: 'ltr', messages },
      site: 'https://app.example.com',
      appName: undefined,
      host: 'app.example.com',
      assets: '/auth/assets',
    },
    {
      name: 'example',
      title: 'A <title>',
      heading: 'A <heading>',
      content: html`<p>Content</p>`,
      ...content,
    },
  )

/** What a policy must say to let the style of a page in. */
function hashOf(page: string): string {
  const [, text = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? []
  return `style-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

describe('the policy of a page', () => {
  it.each([{}, { brandColor: '#fff' }, { colorScheme: 'dark' }, { buttonText: 'red' }] as const)(
    'lets in its own style and nothing else, with the theme %j',
    async theme => {
      const page = await show(theme)
      expect(page.contentSecurityPolicy.split('; ')).toEqual([
        "default-src 'none'",
        hashOf(page.html),
        "img-src 'self' data:",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
      expect(page.html.match(/<style/g)).toHaveLength(1)
      expect(page.html).not.toContain('<script')
      expect(page.html).not.toMatch(/ style=/)
    },
  )

  it('lets in scripts of our own origin where it has one', async () => {
    const page = await show({}, { scripts: ['page'] })
    expect(page.contentSecurityPolicy.split('; ')).toContain("script-src 'self'")
    expect(page.contentSecurityPolicy).not.toContain('connect-src')
    expect(page.html).toMatch(
      /<script src="\/auth\/assets\/page\.[0-9a-f]{16}\.js" defer><\/script>/,
    )
  })

  it('lets scripts ask our own origin where they have to', async () => {
    const page = await show({}, { scripts: ['page'], connects: true })
    expect(page.contentSecurityPolicy.split('; ')).toContain("connect-src 'self'")
  })

  it('says nothing of where forms lead, since browsers apply it to where the answer leads', async () => {
    const page = await show({}, { hasForms: true })
    expect(page.contentSecurityPolicy).not.toContain('form-action')
  })

  it.each([
    ['https://cdn.example/logo.png', "img-src 'self' data: https://cdn.example"],
    ['/logo.png', "img-src 'self' data:"],
    ['data:image/png;base64,AAAA', "img-src 'self' data:"],
    ['https://cdn.example/x; script-src *', "img-src 'self' data: https://cdn.example"],
  ])('lets in the logo %s', async (logo, directive) => {
    const page = await show({ logo })
    expect(page.contentSecurityPolicy.split('; ')).toContain(directive)
    expect(page.contentSecurityPolicy).not.toContain('script-src')
    expect(page.html).toContain(`<img src="${logo}"`)
  })
})

describe('a theme', () => {
  it.each([
    'red',
    'rebeccapurple',
    'transparent',
    '#abc',
    '#abcd',
    '#a1b2c3',
    '#A1B2C3D4',
    'rgb(1, 2, 3)',
    'rgba(1,2,3,.5)',
    'rgb(10% 20% 30% / 40%)',
    'hsl(120deg 75% 25%)',
    'hsla(120, 75%, 25%, 0.6)',
    'hwb(12 50% 0%)',
    'lab(29% 39 20)',
    'lch(29% 39 -20)',
    'oklab(40% 0.1 0.1)',
    'oklch(40% 0.1 20)',
    'color(display-p3 1 0.5 0)',
  ])('may use the colour %s', async color => {
    const { html: page } = await show({ brandColor: color, buttonText: color })
    expect(page).toContain(`--brand-color:${color};`)
    expect(page).toContain(`--button-text-color:${color};`)
  })

  it.each([
    'red;}body{display:none',
    'red}</style><script>alert(1)</script>',
    'url(//evil.example/x)',
    'url(https://evil.example/x)',
    'URL(//evil.example)',
    'image(red)',
    'var(--x)',
    'env(x)',
    'attr(x)',
    'expression(alert(1))',
    'rgb(url(x))',
    'rgb(1,2,3);x:y',
    'rgb(1,2,3',
    '#ab',
    '#abcde',
    '#abcdefg',
    '#abcdef0',
    '"red"',
    'red /* x */',
    'r',
    '-moz-binding',
    'javascript:alert(1)',
    '\\72 ed',
    ' red',
    'red\n',
    'x'.repeat(1000),
  ])('leaves out %j, which is no colour', async color => {
    const page = await show({ brandColor: color, buttonText: color })
    expect(page).toEqual(await show({}))
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '//evil.example/x.png',
    'vbscript:x',
    'logo.png',
    '',
  ])('leaves out the logo %j', async logo => {
    const page = await show({ logo })
    expect(page).toEqual(await show({}))
  })

  it('cannot leave its place', async () => {
    const hostile = '"><script>alert(1)</script>' as 'dark' // JavaScript can
    const page = await show({ colorScheme: hostile, logo: `https://x.example/${hostile}` })
    expect(page.html).not.toContain('<script')
    expect(page.html).toContain('<title>A &lt;title&gt;</title>')
  })

  it.each([
    ['auto', ['light', 'dark']],
    ['light', ['light']],
    ['dark', ['dark']],
  ] as const)('in %s mode has the colours of %j', async (colorScheme, schemes) => {
    const { html: page } = await show({ colorScheme })
    const named = [...page.matchAll(/:root\{color-scheme:(\w+);/g)].map(([, scheme]) => scheme)
    expect(named).toEqual(schemes)
    expect(page).toContain(`class="__next-auth-theme-${colorScheme}"`)
  })
})

function withoutOwnScript(page: string): string {
  return page.replace(/<script src="\/auth\/assets\/page\.[0-9a-f]{16}\.js" defer><\/script>/, '')
}

// ERRPAGE-SET of the advisories.
describe('what a visitor writes into the address of a page', () => {
  const auth = createTestAuth({
    providers: [
      {
        id: 'email',
        name: 'Email',
        type: 'email',
        sendVerificationRequest: () => {},
      },
    ],
    session: { strategy: 'jwt' },
    adapter: {
      createVerificationToken: () => null,
      useVerificationToken: () => null,
      getUserByEmail: () => null,
      createUser: user => user,
      updateUser: ({ id }) => ({ id, email: 'a@example.com', emailVerified: null }),
      getUser: () => null,
      getUserByAccount: () => null,
      linkAccount: () => undefined,
    },
  })
  const payloads = [
    '<script>alert(1)</script>',
    '"onmouseover=alert(1) x="',
    "'><img src=x onerror=alert(1)>",
    '</title><script>',
    'javascript:alert(1)',
    'x\r\nSet-Cookie: a=b',
    '%3Cscript%3E',
    '<'.repeat(10_000),
  ]
  const names = [
    'error',
    'error_description',
    'error_uri',
    'code',
    'provider',
    'type',
    'email',
    'callbackUrl',
    'csrfToken',
  ]

  it.each(['/signin', '/signout', '/error', '/verify-request', '/callback/email', '/nowhere'])(
    'is never code on %s',
    async path => {
      for (const payload of payloads) {
        const query = new URLSearchParams(names.map(name => [name, payload]))
        const response = await auth.handle(
          new Request(`https://app.example.com/auth${path}?${query}`, {
            headers: { accept: 'text/html' },
          }),
        )
        const body = withoutOwnScript(await response.text())
        expect(body).not.toContain('<script>alert')
        expect(body).not.toContain('<img')
        expect(body).not.toContain('"onmouseover')
        expect(body).not.toMatch(/(href|action|src)="javascript:/i)
        expect(body).not.toContain('<<')
        expect(response.headers.get('a')).toBeNull()
        for (const line of response.headers.getSetCookie()) expect(line).not.toContain('a=b')
        if (response.headers.get('content-type')?.startsWith('text/html')) {
          expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
        }
      }
    },
  )
})
