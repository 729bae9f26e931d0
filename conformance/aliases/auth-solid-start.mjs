import Credentials from '@auth/core/providers/credentials'
import { getSession, SolidAuth } from '@auth/solid-start'
import { authorize, settings, visit } from './visit.mjs'

const config = {
  ...settings,
  providers: [Credentials({ credentials: { name: {} }, authorize })],
}
const { GET, POST } = SolidAuth(config)

/** What SolidStart gives to an API route. conformance/solid-start has the real one. */
function eventOf(request) {
  return { request, locals: {}, response: { headers: new Headers() }, nativeEvent: {} }
}

await visit(
  request => (request.method === 'POST' ? POST : GET)(eventOf(request)),
  'http://localhost/api/auth',
  async headers =>
    (await getSession(new Request('http://localhost/', { headers }), config))?.user?.name,
)
