/** One application for all tests: what differs is said by variables while it is built. */
export default {
  basePath: process.env.FIXTURE_BASE_PATH || undefined,
  // The tests of types are elsewhere, and faster.
  typescript: { ignoreBuildErrors: true },
  // Which files a deployment would need: on Next 15 that takes as long as the rest, and nobody deploys this.
  outputFileTracingExcludes: { '*': ['**/*'] },
}
