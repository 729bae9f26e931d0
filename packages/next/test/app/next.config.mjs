/** For all applications of the tests that have none of their own. What differs is said by variables while they are built. */
const isAsDeployed = Boolean(process.env.FIXTURE_AS_DEPLOYED)
const isByWebpack = Boolean(process.env.FIXTURE_BY_WEBPACK)

export default {
  basePath: process.env.FIXTURE_BASE_PATH || undefined,
  // The tests of types are elsewhere, and faster.
  typescript: { ignoreBuildErrors: true },
  // Which files a deployment would need: on Next 15 that takes as long as the rest, and nobody deploys this.
  outputFileTracingExcludes: { '*': ['**/*'] },
  ...(isByWebpack && {
    webpack: config => ({ ...config, optimization: { ...config.optimization, minimize: false } }),
  }),
  experimental: {
    // What requireSession throws for users that may not pass depends on it.
    authInterrupts: true,
    // Two cores are busy with other files, and each worker loads all of Next.
    cpus: 1,
    // Which would load all of Next once more for each of three targets.
    ...(isByWebpack && { webpackBuildWorker: false }),
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
