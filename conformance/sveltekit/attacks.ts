import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RawRequest } from '@siteauth/testing/integration'

// As a browser sends a form without a script.
const FORM = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }

/** Requests that run form actions, data requests and remote functions, which are all behind a guard. */
export async function functionCalls(origin: string): Promise<readonly RawRequest[]> {
  const post = { method: 'POST', headers: { origin, ...FORM }, body: 'a=1' }
  const byScript = { ...post, headers: { ...post.headers, 'x-sveltekit-action': 'true' } }
  return [
    { target: '/files/a/__data.json' },
    { target: '/files/a/__data.json?x-sveltekit-invalidated=01' },
    { target: '/only-ada/__data.json' },
    ...[post, byScript].flatMap(sent => [
      { ...sent, target: '/functions?/send' },
      { ...sent, target: '/only-ada' },
    ]),
    ...remoteCalls(origin),
  ]
}

function remoteCalls(origin: string): readonly RawRequest[] {
  const id = remoteId()
  const payload = { method: 'POST', headers: { origin, 'content-type': 'application/json' } }
  const form = { method: 'POST', headers: { origin, ...FORM }, body: 'a=1' }
  const calls: readonly RawRequest[] = [
    { target: `/_app/remote/${id}/asked` },
    { ...payload, target: `/_app/remote/${id}/askedTogether`, body: '{"payloads":[""]}' },
    { target: `/_app/remote/${id}/watched` },
    { ...payload, target: `/_app/remote/${id}/commanded`, body: '{"payload":""}' },
    { ...form, target: `/_app/remote/${id}/sent` },
  ]
  return [
    ...calls,
    // The page that the caller names is believed, and an ending that asks for data is cut first.
    ...calls.flatMap(call =>
      ['/login', '/auth/signin', '/ran', 'login'].map(pathname => ({
        ...call,
        headers: { ...call.headers, 'x-sveltekit-pathname': pathname },
      })),
    ),
    { target: `/_app/remote/${id}/asked/__data.json` },
    // Without a script, the form is sent to the page that it is on, which may be any page.
    ...['/functions', '/', '/login'].map(page => ({
      ...form,
      target: `${page}?/remote=${id}/sent`,
    })),
    { ...form, target: `/login?%2fremote=${id}%2fsent` },
  ]
}

/** The name that SvelteKit has given to the file of the remote functions, from what browsers load. */
function remoteId(): string {
  const folder = join(import.meta.dirname, 'build/client/_app/immutable/nodes')
  const scripts = readdirSync(folder).filter(file => file.endsWith('.js'))
  const texts = scripts.map(file => readFileSync(join(folder, file), 'utf8'))
  const id = /\b(\w+)\/askedTogether\b/.exec(texts.join('\n'))?.[1]
  if (id) return id
  throw new Error('No remote function in what was built for browsers.')
}
