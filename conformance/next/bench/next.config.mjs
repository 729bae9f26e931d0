export default {
  // All contenders share a file at the top of the workspace.
  turbopack: { root: new URL('../../..', import.meta.url).pathname },
}
