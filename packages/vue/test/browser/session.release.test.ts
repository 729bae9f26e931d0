import { renderToString } from 'vue/server-renderer'
import { bundle } from '../../../client/test/browser/bundle.ts'
import { hydrationSuite } from '../../../client/test/browser/hydration-suite.ts'
import { createPage } from './application.ts'

const START = `
  import { createPage } from './application.ts'
  createPage(session).mount('#root')`

hydrationSuite('Vue', async () => ({
  script: await bundle(START, import.meta.dirname),
  render: session => renderToString(createPage(session)),
}))
