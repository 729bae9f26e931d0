import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'

const { AppModule, options } = await import(`./dist/${process.env.CONTENDER}.js`)
const app = await NestFactory.create(AppModule, { ...options, logger: ['error'] })
await app.listen(Number(process.env.PORT), process.env.HOST)
