import type { Static } from 'typebox';
import { count, openEnum, orNull, Text, Type, Whole } from './schema.ts';

/** An optional text. */
const optional = (description: string, example: string) => Type.Optional(Text(description, example));

/** A way to pay. Members other than `type` depend on the type; those listed here are of `x402`. */
export const PaymentMethod = Type.Object(
  {
    type: openEnum(['x402'], 'Name of the way to pay.'),
    x402_version: Type.Optional(Type.Integer({ description: 'Version of x402.', examples: [2] })),
    scheme: optional('Payment scheme of x402.', 'exact'),
    network: optional('The blockchain, in CAIP-2.', 'eip155:8453'),
    asset: optional("Address of the token's contract.", '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
    asset_name: optional('Name of the token in its EIP-712 domain, which is part of what payers sign.', 'USD Coin'),
    asset_version: optional("Version of the token's EIP-712 domain.", '2'),
    asset_decimals: Type.Optional(count('Digits behind the point: 6 means that 1000000 is 1.', 6)),
    amount: optional('What the call costs: a whole number in the smallest unit of the asset.', '1000'),
    pay_to: optional('Address that is paid.', '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'),
    max_timeout_seconds: Type.Optional(
      Type.Integer({ description: 'How long the payment should be signed to be valid, seconds.', examples: [120] }),
    ),
  },
  {
    title: 'PaymentMethod',
    description: 'A way to pay; the members besides `type` depend on it.',
    examples: [
      {
        type: 'x402',
        x402_version: 2,
        scheme: 'exact',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        asset_name: 'USD Coin',
        asset_version: '2',
        asset_decimals: 6,
        amount: '1000',
        pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
        max_timeout_seconds: 120,
      },
    ],
  },
);
export type PaymentMethod = Static<typeof PaymentMethod>;

const PricedOperation = Type.Object(
  {
    path: Text('Path template.', '/api/v1/sunlight/building/{building_id}'),
    summary: Text('What it gives.', 'Sunlight of one building in short'),
    cost_units: count('What a 200 costs, in cost units.'),
    cost_per: Type.Optional(
      openEnum(['result'], 'Only where the price is that of each thing found, not of the answer.'),
    ),
    cost_options: Type.Optional(
      Type.Array(
        Type.Object(
          {
            parameter: Text('Name of the parameter.', 'interval'),
            more_cost_units: Whole('Cost units on top.', 2, 1),
          },
          { title: 'CostOption', description: 'A parameter that adds to the price.' },
        ),
        { description: 'Only where there are some: parameters that add to the price of a call where they are `true`.' },
      ),
    ),
    payment_methods: Type.Array(PaymentMethod, { description: 'How to pay for it; empty while billing is off.' }),
  },
  { title: 'PricedOperation', description: 'An operation and its price.' },
);

/** The document of prices. */
export const Pricing = Type.Object(
  {
    billing: openEnum(['off', 'x402'], 'How calls are paid; `off`: they are free.'),
    unit_price: orNull(Text('Price of one cost unit, for people.', '0.001 USD Coin'), 'calls are free'),
    operations: Type.Array(PricedOperation, { description: 'Every operation that costs units. All else is free.' }),
  },
  { title: 'Pricing', description: 'What calls cost and how to pay.' },
);
export type Pricing = Static<typeof Pricing>;

/** An amount in its smallest unit as a decimal text: 1500000 with 6 decimals is `1.5`. */
export function amountText(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
