import { beforeAll, describe, expect, it } from 'vitest'
import { type RenderPage, renderForMany, SEEDS } from '../../client/test/many-visitors.ts'
import { bundle, versions } from './bundle.ts'

const WHO = `
  <script>
    import { useSession } from '@siteauth/svelte'
    const session = useSession()
  </script>
  <p>{$session.status}: {$session.data?.user?.name ?? 'nobody'}</p>`
const PAGE = `
  <script>
    import { provideSession } from '@siteauth/svelte'
    import Who from './Who.svelte'
    import Slow from './Slow.svelte'
    export let given
    export let wait
    const session = provideSession(given)
  </script>
  <Who /><b>{$session.data?.user?.name ?? 'nobody'}</b><Slow {wait} />`
const MEMBER = `
  <script>
    import { provideSession } from '@siteauth/svelte'
    import Inner from './Inner.svelte'
    provideSession({ session: null })
  </script>
  <Inner />`
const INNER = `
  <script>
    import { useSession } from '@siteauth/svelte'
    const session = useSession({ required: true })
  </script>
  <p>{$session.status}</p>`
/** Only Svelte 5 can wait while it renders. */
const SLOW = {
  4: `<script>
    import Who from './Who.svelte'
    export let wait
    void wait
  </script>
  <Who />`,
  5: `<script>
    import { useSession } from '@siteauth/svelte'
    import Who from './Who.svelte'
    const { wait } = $props()
    const session = useSession()
    await wait()
    await wait()
  </script>
  <b>{$session.data?.user?.name ?? 'nobody'}</b><Who />`,
}
const RENDER = {
  4: `export const render = async (Component, props) => Component.render(props).html`,
  5: `import { render as renderPage } from 'svelte/server'
    export const render = async (Component, props) => (await renderPage(Component, { props })).body`,
}

interface Bundled {
  render(component: unknown, props: object): Promise<string>
  readonly Page: unknown
  readonly Member: unknown
  readonly Who: unknown
}

describe.each(versions)('Svelte %i', version => {
  let bundled: Bundled

  beforeAll(async () => {
    const components = {
      ...{ 'Page.svelte': PAGE, 'Who.svelte': WHO, 'Slow.svelte': SLOW[version] },
      ...{ 'Member.svelte': MEMBER, 'Inner.svelte': INNER },
    }
    const entry = `${RENDER[version]}
      export { default as Page } from './Page.svelte'
      export { default as Member } from './Member.svelte'
      export { default as Who } from './Who.svelte'`
    const script = await bundle(entry, components, version, 'node')
    const url = `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`
    bundled = await import(/* @vite-ignore */ url)
  })

  it.each(SEEDS)('shows each visitor themselves, and nobody else (%i)', async seed => {
    const render: RenderPage = async (session, wait) => {
      await wait()
      const html = await bundled.render(bundled.Page, { given: { session }, wait })
      await wait()
      return html
    }
    const { pages, deeds } = await renderForMany(render, seed)
    for (const { name, html } of pages) {
      const said = html.replaceAll(/<!--.*?-->/g, '').match(/\w+(?=<\/[pb]>)/g)
      expect(said).toEqual(Array.from({ length: version === 5 ? 4 : 3 }, () => name))
    }
    expect(deeds).toEqual([])
  })

  it('shows that nothing is known where no session is given', async () => {
    const html = await bundled.render(bundled.Page, { given: {}, wait: async () => {} })
    expect(html).toContain('<p>loading: nobody</p>')
  })

  it('sends nobody anywhere from a server', async () => {
    expect(await bundled.render(bundled.Member, {})).toContain('<p>loading</p>')
  })

  it('says what is missing', async () => {
    await expect(bundled.render(bundled.Who, {})).rejects.toThrow('provideSession()')
  })
})
