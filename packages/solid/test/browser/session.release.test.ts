import { generateHydrationScript, renderToString } from 'solid-js/web'
import { bundle } from '../../../client/test/browser/bundle.ts'
import { hydrationSuite } from '../../../client/test/browser/hydration-suite.ts'
import { createPage } from './application.ts'

const START = `
  import { hydrate } from 'solid-js/web'
  import { createPage } from './application.ts'
  hydrate(() => createPage(session), document.getElementById('root'))`

hydrationSuite('Solid', async () => ({
  script: await bundle(START, import.meta.dirname),
  render: session => renderToString(() => createPage(session)),
  head: generateHydrationScript(),
}))
