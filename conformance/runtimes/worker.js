import { createApplication } from './dist/application.js'

let application

export default {
  fetch(request, env) {
    application ??= createApplication(env)
    return application.fetch(request, env)
  },
}
