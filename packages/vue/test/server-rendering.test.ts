import { siteAuth, useSession } from '@siteauth/vue'
import { describe, expect, it } from 'vitest'
import { type Component, createSSRApp, defineComponent, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { type RenderPage, renderForMany, SEEDS } from '../../client/test/many-visitors.ts'

const Who = defineComponent(() => {
  const { data, status } = useSession()
  return () => h('p', `${status.value}: ${data.value?.user?.name ?? 'nobody'}`)
})

/** A page that says who is signed in before and after it waits. */
function pageThat(wait: () => Promise<void>): Component {
  const Slow = defineComponent({
    async setup() {
      const { data } = useSession()
      await wait()
      await wait()
      return () => [h('b', data.value?.user?.name ?? 'nobody'), h(Who)]
    },
  })
  return () => [h(Who), h(Slow), h(Slow)]
}

const perRequest: RenderPage = (session, wait) =>
  renderToString(createSSRApp(pageThat(wait)).use(siteAuth({ session })))

describe.each([
  ['a plugin for each', () => perRequest],
  [
    'one plugin for all',
    (): RenderPage => {
      let current: Parameters<RenderPage>[0] = null
      const plugin = siteAuth({ session: () => current })
      return (session, wait) => {
        current = session
        return renderToString(createSSRApp(pageThat(wait)).use(plugin))
      }
    },
  ],
])('pages that a server renders at the same time, with %s', (_, open) => {
  it.each(SEEDS)('show each visitor themselves, and nobody else (%i)', async seed => {
    const { pages, deeds } = await renderForMany(open(), seed)
    for (const { name, html } of pages) {
      const said = html.match(/\w+(?=<\/[pb]>)/g)
      expect(said).toEqual(Array.from({ length: 5 }, () => name))
    }
    expect(deeds).toEqual([])
  })
})

it('shows that nothing is known where no session is given', async () => {
  expect(await renderToString(createSSRApp(Who).use(siteAuth()))).toBe('<p>loading: nobody</p>')
})

it('sends nobody anywhere from a server', async () => {
  const Member = defineComponent(() => {
    const { status } = useSession({ required: true })
    return () => h('p', status.value)
  })
  const app = createSSRApp(Member).use(siteAuth({ session: null }))
  expect(await renderToString(app)).toBe('<p>loading</p>')
})

it('says what is missing', async () => {
  const app = createSSRApp(Who)
  app.config.warnHandler = () => {}
  await expect(renderToString(app)).rejects.toThrow('app.use(siteAuth())')
  // Vue takes itself to be rendering for a server until that succeeds: files that follow would hear nothing of pages.
  await renderToString(createSSRApp(() => 'done'))
})
