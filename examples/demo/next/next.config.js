/** @type {import('next').NextConfig} */
export default {
  // Loaded by Node and not bundled: they have native parts, or need none of it.
  serverExternalPackages: ['libsql', 'nodemailer', '@simplewebauthn/server'],
  poweredByHeader: false,
  // Most people build this once, and look at it on the same machine: a cache, small files and maps would take
  // longer than the rest.
  experimental: {
    turbopackFileSystemCacheForBuild: false,
    turbopackMinify: false,
    turbopackScopeHoisting: false,
    turbopackSourceMaps: false,
  },
}
