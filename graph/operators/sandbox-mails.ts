import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Arg, Authorized, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { invalidField, notFound } from '../../domain/errors';
import { type GraphContext } from '../context';

@ObjectType({
  simpleResolvers: true,
  description: "A mail that the sandbox's own mail server took.",
})
export class SandboxMail {
  @Field(() => String, { description: 'The name of its file in the folder of mails.' })
  id!: string;

  @Field({ description: 'When it was taken.' })
  at!: Date;

  @Field({ description: 'The sender, as in the mail.' })
  from!: string;

  @Field(() => [String], { description: 'The addresses that it was sent to.' })
  to!: readonly string[];

  @Field({ description: 'The subject line, decoded.' })
  subject!: string;

  @Field({ description: 'With its link.' })
  text!: string;
}

@Resolver()
export class SandboxMailResolver {
  @Authorized('ADMIN')
  @Query(() => [SandboxMail], {
    description: 'What was mailed in this sandbox, newest first. In production: not found.',
  })
  async sandboxMails(
    @Arg('first', () => Int, { defaultValue: 20, description: '1-200.' }) first: number,
    @Ctx() { environment, sandboxMails: folder }: GraphContext,
  ): Promise<SandboxMail[]> {
    if (environment !== 'sandbox' || !folder) throw notFound('the mail server of a sandbox');
    if (first < 1 || first > 200) throw invalidField('first', 'must be 1-200', 'OUT_OF_RANGE');
    const files = await readdir(folder).catch(() => []);
    const newest = files
      .filter((file) => file.endsWith('.json'))
      .sort()
      .reverse()
      .slice(0, first);
    return await Promise.all(
      newest.map(async (file) => {
        const text = await readFile(path.join(folder, file), 'utf8');
        const mail = JSON.parse(text) as Omit<SandboxMail, 'at'> & { readonly at: string };
        return { ...mail, at: new Date(mail.at) };
      }),
    );
  }
}
