import type { Session } from '@siteauth/core/types'
import { hydrationSuite } from '../../../client/test/browser/hydration-suite.ts'
import { bundle } from '../bundle.ts'

const PAGE = `
  <script>
    import { provideSession, signIn, signOut } from '@siteauth/svelte'
    const { given } = $props()
    const session = provideSession({ basePath: '/auth', session: given })
    const ann = { name: 'Ann', redirect: false }
  </script>
  <p>{$session.status}: {$session.data?.user?.name ?? 'nobody'}</p>
  <button onclick={() => signIn('credentials', ann)}>Sign in</button>
  <button onclick={() => signOut({ redirect: false })}>Sign out</button>`
const START = `
  import { hydrate } from 'svelte'
  import Page from './Page.svelte'
  hydrate(Page, { target: document.getElementById('root'), props: { given: session } })`
const RENDER = `
  import { render as renderPage } from 'svelte/server'
  import Page from './Page.svelte'
  export const render = async given => (await renderPage(Page, { props: { given } })).body`

hydrationSuite('Svelte', async () => {
  const components = { 'Page.svelte': PAGE }
  const server = await bundle(RENDER, components, 5, 'node')
  const url = `data:text/javascript;base64,${Buffer.from(server).toString('base64')}`
  const { render }: { render(given: Session | null | undefined): Promise<string> } = await import(
    /* @vite-ignore */ url
  )
  return { script: await bundle(START, components, 5, 'browser'), render }
})
