import { register } from 'node:module'

// It imports parts of Next without the ends of their file names, which Next's bundler adds.
const complete = `export const resolve = (name, context, next) =>
  next(/^next\\/[a-z]+$/.test(name) ? name + '.js' : name, context)`
register(`data:text/javascript,${encodeURIComponent(complete)}`)

const { default: NextAuth } = await import('next-auth')
const { NextRequest } = await import('next/server.js')

/** Who is signed in, as its `auth` tells the function that it wraps, outside of Next. */
export function nextAuthCheck(config) {
  const { auth } = NextAuth(config)
  const read = auth(({ auth: session }) => {
    if (!session?.user) throw new Error('nobody')
    return new Response(null)
  })
  return (url, cookie) => read(new NextRequest(url, { headers: { cookie } }), {})
}
