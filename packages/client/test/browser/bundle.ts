import { build } from 'esbuild'
import { esbuildSources } from '../../../../tools/sources.mjs'

/** A source and all that it imports, for a browser. */
export async function bundle(contents: string, resolveDir: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    plugins: [esbuildSources(['browser'])],
    define: {
      'process.env.NODE_ENV': '"development"',
      // What Vue asks of bundlers.
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
