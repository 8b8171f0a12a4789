import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { CatalogueError } from '../../domain/errors';
import { sameAddress } from '../../domain/oidc';
import { findOperatorByAddress, findOperatorByLogin } from '../../db/operators/operators';
import type { GraphContext } from '../context';
import { hasFactor } from '../../steps/access/factor';
import { FactorRequest, requestOf } from './factor';
import { identify } from '../../steps/operators/login';
import type { OidcClient } from '../../steps/operators/oidc-client';
import { PasskeyAnswerInput } from './passkey-input';
import { openSession, SignedIn } from './session';
import { ended, type Proof, PROOF_MINUTES, type Ticket, TICKET_MINUTES, unseal } from '../../steps/operators/oidc';

@ObjectType({ simpleResolvers: true, description: 'Where a browser signs in.' })
export class OidcBeginning {
  @Field({ description: 'The page of the identity provider to go to.' })
  url!: string;

  @Field({ description: 'For `proveOidc`: kept by the page that began, and given to nobody else.' })
  ticket!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Whom the identity provider vouches for.' })
export class OidcProof {
  @Field({ description: 'For `signInByOidc`, within five minutes.' })
  proof!: string;

  @Field(() => FactorRequest, {
    nullable: true,
    description: 'What shows the second factor, which is asked here too; null where there is none.',
  })
  factor!: FactorRequest | null;
}

/** The provider, and the page of ours that asks. @throws AUTHORIZATION_ERROR */
function requireOidc({ browser, oidc }: GraphContext): OidcClient {
  if (!oidc) throw new CatalogueError('AUTHORIZATION_ERROR', 'single sign-on is not set up here');
  if (!browser) throw new CatalogueError('AUTHORIZATION_ERROR', 'single sign-on is for the console alone');
  return oidc;
}

@Resolver()
export class OidcResolver {
  @Mutation(() => OidcBeginning, {
    description: 'Begins to sign in by the identity provider, where one is set up. For the console.',
  })
  async beginOidcSignIn(@Ctx() context: GraphContext): Promise<OidcBeginning> {
    const { url, secrets } = await requireOidc(context).start();
    const until = context.now.getTime() + TICKET_MINUTES * 60_000;
    const ticket: Ticket = { ...secrets, until };
    return { url, ticket: context.sealer.seal(JSON.stringify(ticket), 'oidc:ticket') };
  }

  @Mutation(() => OidcProof, {
    description:
      'Takes what the identity provider answered. It vouches for an operator by a verified e-mail address, and makes none.',
  })
  async proveOidc(
    @Arg('ticket', { description: 'Of `beginOidcSignIn`.' }) ticket: string,
    @Arg('answer', { description: 'The query of the page that the provider sent the browser to.' })
    answer: string,
    @Ctx() context: GraphContext,
  ): Promise<OidcProof> {
    const { audit, database, log, now, sealer } = context;
    const client = requireOidc(context);
    const person = await client.finish(answer, unseal(context, ticket, 'oidc:ticket'));
    const operator = await findOperatorByAddress(database, sameAddress(person.email));
    audit.note = { operator: operator ?? null, after: { provider: true } };
    if (!operator) {
      log.warn('single sign-on refused: no operator has the address');
      throw new CatalogueError('UNAUTHENTICATED', 'no operator who may log in has your address');
    }
    const left = person.roles && operator.roles.filter((role) => person.roles?.includes(role));
    if (left?.length === 0)
      throw new CatalogueError(
        'UNAUTHENTICATED',
        'the identity provider gives you none of the roles that you have here',
      );
    const until = now.getTime() + PROOF_MINUTES * 60_000;
    const proof: Proof = { login: operator.login, roles: left, until };
    return {
      proof: sealer.seal(JSON.stringify(proof), 'oidc:proof'),
      factor: hasFactor(operator) ? { code: true, passkey: await requestOf(context, operator, 'SIGN_IN') } : null,
    };
  }

  @Mutation(() => SignedIn, {
    description:
      'Logs in whom the identity provider vouches for: as `signIn`, without the password. Who has a second factor shows it here too.',
  })
  async signInByOidc(
    @Arg('proof', { description: 'Of `proveOidc`.' }) proof: string,
    @Ctx() context: GraphContext,
    @Arg('code', () => String, {
      nullable: true,
      description: 'Of the authenticator app, or a recovery code.',
    })
    code?: string | null,
    @Arg('passkey', () => PasskeyAnswerInput, {
      nullable: true,
      description: 'The answer to the challenge of `proveOidc`, in place of a code.',
    })
    passkey?: PasskeyAnswerInput | null,
  ): Promise<SignedIn> {
    requireOidc(context);
    const { login, roles } = unseal(context, proof, 'oidc:proof');
    const known = await findOperatorByLogin(context.database, login);
    if (!known) throw ended();
    const operator = await identify(context, {
      login,
      password: '',
      code,
      passkey,
      by: 'PROVIDER',
    });
    const { expiresAt } = await openSession(context, operator, context.browser, roles);
    return { expiresAt, operator };
  }
}
