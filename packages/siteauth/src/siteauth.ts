#!/usr/bin/env node
import { run } from './lib/run.ts'
import { thisTerminal } from './lib/this-terminal.ts'

process.exitCode = await run(process.argv.slice(2), thisTerminal())
