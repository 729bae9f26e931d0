import { platformSuite } from './platform-suite.ts'

// NestJS decides the same on both, and both frameworks run the suite themselves.
platformSuite('Fastify')
