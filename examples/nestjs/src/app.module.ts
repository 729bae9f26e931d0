import { Module } from '@nestjs/common'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import { SiteAuthModule } from '@siteauth/nestjs'
import { SiteController } from './site.controller.js'

@Module({
  imports: [
    // The endpoints and their pages, and SiteAuthService for all modules.
    SiteAuthModule.forRoot({
      providers: [
        GitHub,
        // To try it without GitHub. Instead of this, look the user up and compare a hash of the password.
        Credentials({
          credentials: {
            name: { label: 'Name' },
            password: { label: 'Password', type: 'password' },
          },
          authorize: ({ name, password }) =>
            name === 'ada' && password === 'open sesame' ? { id: 'ada', name: 'Ada' } : null,
        }),
      ],
    }),
  ],
  controllers: [SiteController],
})
export class AppModule {}
