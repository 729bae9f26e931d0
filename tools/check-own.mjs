// The checks that are our own, in one process: starting one for each would take longer than they do.
import { writeApiDocs } from './api-docs.mjs'
import { checkApi } from './api-report.mjs'
import { checkDocs } from './check-docs.mjs'
import { checkExports } from './check-exports.mjs'
import { checkInternal } from './check-internal.mjs'
import { checkLayers } from './check-layers.mjs'
import { checkLinks } from './check-links.mjs'
import { checkSpreads } from './check-spreads.mjs'
import { checkLayersTable } from './layers-table.mjs'
import { withDeclarations } from './with-declarations.mjs'
import { outcomeLine, ROOT } from './workspace.mjs'

check('layers', () => [...checkLayers(), ...checkLayersTable()])
check('exports', checkExports)
check('internal', checkInternal)
check('arguments', () => checkSpreads())
check('documents', checkDocs)
check('declarations', () =>
  withDeclarations(declared => {
    check('api report', () => checkApi(ROOT, { declared }))
    check('api reference', () => writeApiDocs(ROOT, declared))
    return []
  }),
)
// Also those in the reference, which is written by now.
check('links', checkLinks)

function check(name, findFaults) {
  const started = performance.now()
  const faults = findFaults()
  console.log(outcomeLine(name, { passed: faults.length === 0, started }))
  for (const fault of faults) console.log(fault)
  if (faults.length > 0) process.exitCode = 1
}
