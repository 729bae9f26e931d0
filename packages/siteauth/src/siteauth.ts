#!/usr/bin/env node
import { run } from './lib/run.ts'
import { thisTerminal } from './lib/terminal.ts'

process.exitCode = await run(process.argv.slice(2), thisTerminal())
