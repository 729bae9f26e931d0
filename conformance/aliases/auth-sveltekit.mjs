import assert from 'node:assert/strict'
import { register } from 'node:module'
import { authorize, settings, visit } from './visit.mjs'

// The two modules that SvelteKit makes of an application. conformance/sveltekit has the real ones.
const modules = {
  '$app/environment': 'export const building = false',
  '$env/dynamic/private': 'export const env = {}',
}
const hooks = `
  const modules = ${JSON.stringify(modules)}
  export const resolve = (name, context, next) =>
    name in modules
      ? { url: 'data:text/javascript,' + encodeURIComponent(modules[name]), shortCircuit: true }
      : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
const { SvelteKitAuth, CredentialsSignin } = await import('@auth/sveltekit')
const { signIn, signOut } = await import('@auth/sveltekit/client')
const { default: Credentials } = await import('@auth/sveltekit/providers/credentials')

const { handle } = SvelteKitAuth({
  ...settings,
  providers: [Credentials({ credentials: { name: {} }, authorize })],
})

function eventOf(request) {
  return {
    request,
    url: new URL(request.url),
    locals: {},
    cookies: { set() {} },
    isDataRequest: false,
    isSubRequest: false,
    platform: undefined,
    route: { id: null },
    getClientAddress: () => '127.0.0.1',
  }
}

for (const each of [CredentialsSignin, signIn, signOut]) assert.ok(each)
await visit(
  async request =>
    handle({ event: eventOf(request), resolve: () => new Response(null, { status: 404 }) }),
  'http://localhost/auth',
  async headers => {
    const event = eventOf(new Request('http://localhost/', { headers }))
    const resolve = async ({ locals }) => Response.json((await locals.auth())?.user?.name ?? null)
    return (await (await handle({ event, resolve })).json()) ?? undefined
  },
)
