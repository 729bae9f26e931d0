import { createHash } from 'node:crypto'
import type { RawRequest } from '@siteauth/testing/integration'

const BOUNDARY = 'boundary'

/** Server actions, by a script and by a form without one, pages as the script asks for them, and handlers. */
export async function functionCalls(origin: string): Promise<readonly RawRequest[]> {
  const page = await (await fetch(`${origin}/sent`)).text()
  const [write, writeAsAda] = [...page.matchAll(/\$ACTION_ID_(\w+)/g)].map(([, id]) => id)
  if (!write || !writeAsAda) throw new Error(`The page names no actions: ${page}`)
  const headers = { origin, accept: 'text/x-component' }
  const byScript = (target: string, id: string): RawRequest => ({
    method: 'POST',
    target,
    headers: { ...headers, 'next-action': id, 'content-type': 'text/plain;charset=UTF-8' },
    body: '[]',
  })
  const byForm = (target: string, id: string): RawRequest => ({
    method: 'POST',
    target,
    headers: { origin, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: [
      `--${BOUNDARY}`,
      `Content-Disposition: form-data; name="$ACTION_ID_${id}"`,
      '',
      '',
      `--${BOUNDARY}--`,
      '',
    ].join('\r\n'),
  })
  return [
    byScript('/files/a', write),
    byScript('/sent', write),
    byScript('/sent?only-ada', writeAsAda),
    byForm('/files/a', write),
    byForm('/sent', write),
    byForm('/sent?only-ada', writeAsAda),
    ...byRouter('/files/a'),
    ...byRouter('/only-ada'),
    { method: 'POST', target: '/item/1', headers: { origin } },
  ]
}

/** A page as the router of Next asks for it: by itself, and from the sign-in page. */
function byRouter(path: string): readonly RawRequest[] {
  const page = ['', { children: ['login', { children: ['__PAGE__', {}] }] }]
  const tree = encodeURIComponent(JSON.stringify(page))
  return [
    { target: `${path}?_rsc=`, headers: { rsc: '1' } },
    {
      target: `${path}?_rsc=${hashOf(['0', '0', tree, '/login'])}`,
      headers: { rsc: '1', 'next-router-state-tree': tree, 'next-url': '/login' },
    },
  ]
}

/** What Next demands of the query, so that no cache takes one answer for another. */
function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join()).digest().subarray(0, 12).toString('base64url')
}
