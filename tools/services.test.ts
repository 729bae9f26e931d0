import { expect, it } from 'vitest'
import { prepareServices } from './services.mjs'

it('takes the environment’s word and looks no further', async () => {
  const services = { browser: service({ find: () => expect.fail('looked') }) }
  const { variables } = await prepareServices(services, { BROWSER: '/given' })
  expect(variables).toEqual({ BROWSER: '/given' })
})

it('takes what is installed', async () => {
  const services = { browser: service({ find: () => '/found' }) }
  const { variables, missing } = await prepareServices(services, {})
  expect({ variables, missing }).toEqual({ variables: { BROWSER: '/found' }, missing: [] })
})

it('takes what does as well where the first cannot be had', async () => {
  const services = {
    browser: service({ find: () => '/found' }),
    quick: { ...service({}), variable: 'QUICK', otherwise: (known: Env) => known['BROWSER'] },
  }
  const { variables, missing } = await prepareServices(services, {})
  expect({ variables, missing }).toEqual({
    variables: { BROWSER: '/found', QUICK: '/found' },
    missing: [],
  })
})

it('says in words what a missing service left out', async () => {
  const { variables, missing } = await prepareServices({ browser: service({}) }, {})
  expect(variables).toEqual({})
  expect(missing).toEqual(['Not run: the browser tests. Install browser or set BROWSER.'])
})

it('stops what it started, last first', async () => {
  const order: string[] = []
  const starting = (name: string) => (stops: (() => void)[]) => {
    stops.push(() => order.push(name))
    return name
  }
  const { stop } = await prepareServices(
    { one: service({ find: starting('one') }), two: service({ find: starting('two') }) },
    {},
  )
  await stop()
  expect(order).toEqual(['two', 'one'])
})

type Env = Readonly<Record<string, string | undefined>>

function service({ find = () => null }: { find?: (stops: (() => void)[]) => string | null }) {
  return { variable: 'BROWSER', purpose: 'the browser tests', debianPackages: [], find }
}
