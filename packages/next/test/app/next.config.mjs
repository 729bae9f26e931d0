/** For all applications of the tests that have none of their own. What differs is said by variables while they are built. */
const isAsDeployed = Boolean(process.env.FIXTURE_AS_DEPLOYED)

export default {
  basePath: process.env.FIXTURE_BASE_PATH || undefined,
  // The tests of types are elsewhere, and faster.
  typescript: { ignoreBuildErrors: true },
  // Which files a deployment would need: on Next 15 that takes as long as the rest, and nobody deploys this.
  outputFileTracingExcludes: { '*': ['**/*'] },
  experimental: {
    // Each is built once: to write a cache would take as long as the rest.
    turbopackFileSystemCacheForBuild: false,
    turbopackFileSystemCacheForDev: false,
    // Half of the rest, and the same for every application: that one of them is as deployed is enough.
    ...(!isAsDeployed && {
      turbopackMinify: false,
      turbopackScopeHoisting: false,
      turbopackSourceMaps: false,
    }),
  },
}
