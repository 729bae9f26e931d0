import { describe, expect, it } from 'vitest'
import { bundle, versions } from './bundle.ts'

describe.each(versions)('React %i on a server', version => {
  async function render(props: string): Promise<{ html: string; complaints: unknown[] }> {
    const script = await bundle(
      `
      import { renderToString } from 'react-dom/server'
      import { SessionProvider, useSession } from '@siteauth/react'

      function Who() {
        const { data, status } = useSession()
        return <p>{status + ': ' + (data?.user?.name ?? 'nobody')}</p>
      }

      export const complaints = []
      console.error = (...words) => complaints.push(words)
      export const html = renderToString(<SessionProvider ${props}><Who /></SessionProvider>)
      `,
      version,
      'node',
    )
    const url = `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`
    const original = console.error
    try {
      return await import(url)
    } finally {
      console.error = original
    }
  }

  it.each([
    [
      'a session',
      `session={{ user: { name: 'Ann' }, expires: '2030-01-01' }}`,
      'authenticated: Ann',
    ],
    ['nobody', 'session={null}', 'unauthenticated: nobody'],
    ['nothing', '', 'loading: nobody'],
  ])('shows what the provider was given: %s', async (_, props, text) => {
    const { html, complaints } = await render(props)
    expect(html).toBe(`<p>${text}</p>`)
    expect(complaints).toEqual([])
  })
})
