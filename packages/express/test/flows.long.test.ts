import { describeFlows } from './flow-suite.ts'
import { serve, visit } from './server.ts'

describeFlows('on its own', async app => ({
  site: await serve(app),
  visit,
  prefix: '',
  config: {},
}))
