/** @type {import('next').NextConfig} */
export default {
  // Loaded by Node and not bundled: they have native parts, or need none of it.
  serverExternalPackages: ['libsql', 'nodemailer', '@simplewebauthn/server'],
  poweredByHeader: false,
  // Most people build this once: to write a cache would take as long as the rest.
  experimental: { turbopackFileSystemCacheForBuild: false },
}
