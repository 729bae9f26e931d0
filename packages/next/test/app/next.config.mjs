/** One application for all tests: what differs is said by variables while it is built. */
export default {
  basePath: process.env.FIXTURE_BASE_PATH || undefined,
  // The tests of types are elsewhere, and faster.
  typescript: { ignoreBuildErrors: true },
}
