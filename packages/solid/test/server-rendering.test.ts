import { SessionProvider, useSession } from '@siteauth/solid'
import { createComponent, createResource, type JSX, Suspense } from 'solid-js'
import { escape as escapeText, renderToString, renderToStringAsync, ssr } from 'solid-js/web'
import { describe, expect, it } from 'vitest'
import { type RenderPage, renderForMany, SEEDS } from '../../client/test/many-visitors.ts'

function Who(): JSX.Element {
  const session = useSession()
  const text = `${session().status}: ${session().data?.user?.name ?? 'nobody'}`
  // As the compiler of Solid writes it: elements are text on a server.
  return ssr(['<p>', '</p>'], escapeText(text)) as unknown as JSX.Element
}

function Slow(props: { wait: () => Promise<void> }): JSX.Element {
  const session = useSession()
  const [done] = createResource(async () => {
    await props.wait()
    await props.wait()
    return true
  })
  return createComponent(Suspense, {
    get children() {
      const name = done() ? (session().data?.user?.name ?? 'nobody') : 'unknown'
      return [
        ssr(['<b>', '</b>'], escapeText(name)),
        createComponent(Who, {}),
      ] as unknown as JSX.Element
    },
  })
}

const render: RenderPage = (session, wait) =>
  renderToStringAsync(() =>
    createComponent(SessionProvider, {
      session,
      get children() {
        return [
          createComponent(Who, {}),
          createComponent(Slow, { wait }),
          createComponent(Slow, { wait }),
        ]
      },
    }),
  )

describe('pages that a server renders at the same time', () => {
  it.each(SEEDS)('show each visitor themselves, and nobody else (%i)', async seed => {
    const { pages, deeds } = await renderForMany(render, seed)
    for (const { name, html } of pages) {
      const said = html.match(/\w+(?=<\/[pb]>)/g)
      expect(said).toEqual(Array.from({ length: 5 }, () => name))
    }
    expect(deeds).toEqual([])
  })
})

it('shows that nothing is known where no session is given', () => {
  const page = () =>
    createComponent(SessionProvider, {
      get children() {
        return createComponent(Who, {})
      },
    })
  expect(renderToString(page)).toBe('<p>loading: nobody</p>')
})

it('sends nobody anywhere from a server', () => {
  const Member = () => useSession({ required: true })().status
  const page = () =>
    createComponent(SessionProvider, {
      session: null,
      get children() {
        return createComponent(Member, {})
      },
    })
  expect(renderToString(page)).toBe('loading')
})

it('says what is missing', () => {
  expect(() => renderToString(() => createComponent(Who, {}))).toThrow('<SessionProvider>')
})
