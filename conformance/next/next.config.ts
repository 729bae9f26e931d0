import type { NextConfig } from 'next'

export default {
  // Next cuts this ending for the proxy, and not for its router: /login.rsc would be the sign-in page to the one, and
  // app/[...rest] to the other.
  redirects: async () => [{ source: '/:path(.*)\\.rsc', destination: '/:path', permanent: false }],
  // Below this path, what is not a file would be for app/[...rest], and the proxy does not see it.
  rewrites: async () => ({
    beforeFiles: [],
    afterFiles: [{ source: '/_next/static/:path*', destination: '/_not-found' }],
    fallback: [],
  }),
  // The workspace around this has a lock of its own, which Next would take for the root.
  turbopack: { root: import.meta.dirname },
} satisfies NextConfig
