import { Field, InputType } from 'type-graphql';

@InputType({ description: 'What a browser passes on when a device has signed a challenge.' })
export class PasskeyAnswerInput {
  @Field({ description: 'What the device calls the passkey; base64url, as the others.' })
  id!: string;

  @Field({ description: 'What the browser says that was asked, and by which page.' })
  clientDataJSON!: string;

  @Field({ description: 'What the device says of itself, with its count of uses.' })
  authenticatorData!: string;

  @Field({ description: 'Over both.' })
  signature!: string;
}

@InputType({ description: 'What a browser passes on when a device has made a passkey.' })
export class NewPasskeyInput {
  @Field({ description: 'What the device calls the passkey; base64url, as the others.' })
  id!: string;

  @Field({ description: 'What the browser says that was asked, and by which page.' })
  clientDataJSON!: string;

  @Field({ description: 'The public key and what the device says of itself.' })
  attestationObject!: string;

  @Field(() => [String], {
    description: 'How browsers reach the device, such as `usb` and `internal`.',
  })
  transports!: string[];
}
